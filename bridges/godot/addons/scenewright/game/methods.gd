extends RefCounted
## What a running game answers.

const Server := preload("../link/server.gd")
const Nodes := preload("../link/nodes.gd")
const Log := preload("../link/log.gd")
const Values := preload("../link/values.gd")
const Hands := preload("hands.gd")
const Screen := preload("screen.gd")
const Waits := preload("waits.gd")
const Clock := preload("clock.gd")
const Places := preload("places.gd")

var _link: Node
var _log: Log
var _hands: Hands
var _screen: Screen
var _waits: Waits
var _clock: Clock
var _methods: Dictionary


func _init(link: Node, lines: Log) -> void:
	_link = link
	_log = lines
	_screen = Screen.new(link)
	_hands = Hands.new(link, _screen)
	_waits = Waits.new(link, lines)
	_clock = Clock.new(link)
	_methods = {
		"state": _state,
		"tree": _tree,
		"node.get": _get_node,
		"node.set": _set_node,
		"node.call": _call_method,
		"evaluate": _evaluate,
		"groups": _groups,
		"log": _read_log,
		"wait": _waits.wait,
		"input": _hands.input,
		"click": _hands.click,
		"ui": _screen.texts,
		"picture": _screen.picture,
		"time": _clock.time,
		"monitors": _clock.monitors,
	}


func answer(method: String, params: Dictionary, session: RefCounted) -> Dictionary:
	if params.get("project") != Server.project_path():
		return Server.failed("this game is of the project %s" % Server.project_path(), Server.BAD_PARAMS)
	if not _methods.has(method):
		return Server.failed("the game has no '%s'" % method, Server.NO_SUCH_METHOD)
	params["session"] = session
	return await (_methods[method] as Callable).call(params)


## Once a frame while somebody is linked.
func turn() -> void:
	_waits.turn()


func _state(_params: Dictionary) -> Dictionary:
	var tree := _link.get_tree()
	var current := tree.current_scene
	return {"result": {
		"scene": current.scene_file_path if current != null else "",
		"root": str(current.get_path()) if current != null else "",
		"isPaused": tree.paused,
		"timeScale": Engine.time_scale,
		"frame": Engine.get_process_frames(),
		"fps": Engine.get_frames_per_second(),
		"nodes": tree.get_node_count(),
		"isHeadless": DisplayServer.get_name() == "headless",
		"size": Values.say(Vector2(tree.root.size)),
		"godot": Engine.get_version_info()["string"],
		"version": Server.VERSION,
	}}


func _tree(params: Dictionary) -> Dictionary:
	var found := Places.find(_link, params, "/root")
	if found.has("error"):
		return found
	return {"result": Nodes.list(found["node"], params, null)}


func _get_node(params: Dictionary) -> Dictionary:
	var found := Places.find(_link, params, "")
	if found.has("error"):
		return found
	return {"result": Nodes.properties(found["node"], params)}


func _set_node(params: Dictionary) -> Dictionary:
	var found := Places.find(_link, params, "")
	if found.has("error"):
		return found
	return Nodes.set_properties(found["node"], params.get("values", {}))


func _call_method(params: Dictionary) -> Dictionary:
	var found := Places.find(_link, params, "")
	if found.has("error"):
		return found
	var node: Node = found["node"]
	var method: String = params.get("method", "")
	if not node.has_method(method):
		return Server.failed("%s has no method '%s'" % [node.get_path(), method], Server.BAD_PARAMS,
				{"known": Nodes.properties(node, {"methods": true, "names": ["name"]})["methods"]})
	var kinds: Array = []
	for one: Dictionary in node.get_method_list():
		if one["name"] == method:
			kinds = one["args"]
	var arguments: Array = []
	for said: Variant in params.get("arguments", []):
		var type: int = kinds[arguments.size()]["type"] if arguments.size() < kinds.size() else TYPE_NIL
		var read := Values.read(said, type, "", node)
		if not read[0]:
			return Server.failed("argument %d of %s: %s" % [arguments.size() + 1, method, read[1]], Server.BAD_PARAMS)
		arguments.append(read[1])
	var before := _log.cursor()
	var result: Variant = node.callv(method, arguments)
	# A method that waits gives its result later.
	if result is Object and is_instance_valid(result) and result.get_class() == "GDScriptFunctionState":
		result = await result.completed
	return {"result": {"value": Values.say(result), "type": type_string(typeof(result)), "errors": _log.read(before, "error", 10, false)["lines"]}}


func _evaluate(params: Dictionary) -> Dictionary:
	var found := Places.find(_link, params, "/root")
	if found.has("error"):
		return found
	var expression := Expression.new()
	var names := PackedStringArray(["root", "tree", "scene"])
	var tree := _link.get_tree()
	if expression.parse(params.get("expression", ""), names) != OK:
		return Server.failed(expression.get_error_text(), Server.BAD_PARAMS)
	var before := _log.cursor()
	var value: Variant = expression.execute([tree.root, tree, tree.current_scene], found["node"], false)
	if expression.has_execute_failed():
		return Server.failed(expression.get_error_text(), Server.BAD_PARAMS, {"errors": _log.read(before, "error", 10, false)["lines"]})
	return {"result": {"value": Values.say(value), "type": type_string(typeof(value)), "errors": _log.read(before, "error", 10, false)["lines"]}}


func _groups(_params: Dictionary) -> Dictionary:
	var counts := {}
	var stack: Array[Node] = [_link.get_tree().root]
	while not stack.is_empty():
		var node: Node = stack.pop_back()
		for group: StringName in node.get_groups():
			if not String(group).begins_with("_"):
				counts[String(group)] = counts.get(String(group), 0) + 1
		stack.append_array(node.get_children())
	return {"result": {"groups": counts}}


func _read_log(params: Dictionary) -> Dictionary:
	return {"result": _log.read(int(params.get("since", 0)), params.get("severity", ""), clampi(int(params.get("limit", 100)), 1, 1000), params.get("tail", false))}
