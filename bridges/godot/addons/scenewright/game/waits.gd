extends RefCounted
## Waiting for a signal, for a property, or for a line of the log, and not for ever.

const Server := preload("../link/server.gd")
const Values := preload("../link/values.gd")
const Nodes := preload("../link/nodes.gd")
const Log := preload("../link/log.gd")
const Places := preload("places.gd")

const MAX_SECONDS := 120.0

var _link: Node
var _log: Log
var _waiting: Array[Wait] = []


class Wait:
	extends RefCounted
	signal done
	var check: Callable
	var until := 0
	var result: Variant
	var session: RefCounted

	## A signal has up to so many arguments; those that it has not stay this object.
	func heard(a: Variant = self, b: Variant = self, c: Variant = self, d: Variant = self, e: Variant = self, f: Variant = self) -> void:
		var given: Array = [a, b, c, d, e, f].filter(func(one: Variant) -> bool: return not is_same(one, self))
		if result == null:
			result = {"arguments": given.map(func(one: Variant) -> Variant: return Values.say(one))}


func _init(link: Node, lines: Log) -> void:
	_link = link
	_log = lines


func wait(params: Dictionary) -> Dictionary:
	var one := Wait.new()
	one.session = params["session"]
	var seconds := clampf(float(params.get("seconds", 10.0)), 0.0, MAX_SECONDS)
	var begin := Time.get_ticks_msec()
	one.until = begin + int(seconds * 1000.0)
	var prepared := _prepare(params, one)
	if prepared.has("error"):
		return prepared
	_waiting.append(one)
	await one.done
	if prepared.has("release"):
		(prepared["release"] as Callable).call()
	var said := {"isMet": one.result != null, "seconds": (Time.get_ticks_msec() - begin) / 1000.0, "frame": Engine.get_process_frames()}
	if one.result != null:
		said["what"] = one.result
	elif prepared.has("last"):
		said["last"] = (prepared["last"] as Callable).call()
	return {"result": said}


## Looks after everybody who waits, once a frame.
func turn() -> void:
	var now := Time.get_ticks_msec()
	for one: Wait in _waiting.duplicate():
		if one.result == null and one.check.is_valid():
			one.result = one.check.call()
		if one.result != null or now >= one.until or not one.session.get("is_open"):
			_waiting.erase(one)
			one.done.emit()


func _prepare(params: Dictionary, one: Wait) -> Dictionary:
	if params.has("log"):
		return _for_line(params, one)
	var found := Places.find(_link, params, "")
	if found.has("error"):
		return found
	var node: Node = found["node"]
	if params.has("signal"):
		var name: String = params["signal"]
		if not node.has_signal(name):
			var known := node.get_signal_list().map(func(known_one: Dictionary) -> String: return known_one["name"])
			return Server.failed("%s has no signal '%s'" % [node.get_path(), name], Server.BAD_PARAMS, {"known": known})
		node.connect(name, one.heard)
		return {"release": func() -> void:
			if is_instance_valid(node) and node.is_connected(name, one.heard):
				node.disconnect(name, one.heard)}
	if params.has("property"):
		return _for_value(params, one, node)
	return Server.failed("wait for a signal, a property or a line of the log", Server.BAD_PARAMS)


func _for_line(params: Dictionary, one: Wait) -> Dictionary:
	var text: String = params["log"]
	var since := {"cursor": int(params.get("since", _log.cursor()))}
	one.check = func() -> Variant:
		var read := _log.read(since["cursor"], "", 1000, false)
		since["cursor"] = read["cursor"]
		for line: Dictionary in read["lines"]:
			if String(line["text"]).containsn(text):
				return line
		return null
	return {}


func _for_value(params: Dictionary, one: Wait, node: Node) -> Dictionary:
	var name: String = params["property"]
	if not name.get_slice(":", 0) in node:
		return Server.failed("%s has no property '%s'" % [node.get_path(), name], Server.BAD_PARAMS, {"known": Nodes.properties(node, {"names": [name]}).get("known", [])})
	var path := NodePath(name)
	var how: String = params.get("is", "changed")
	var first: Variant = node.get_indexed(path)
	var read := Values.read(params.get("value"), typeof(first), "", node)
	if how != "changed" and not read[0]:
		return Server.failed("%s: %s" % [name, read[1]], Server.BAD_PARAMS)
	var wanted: Variant = read[1]
	one.check = func() -> Variant:
		if not is_instance_valid(node):
			return {"gone": true}
		var now: Variant = node.get_indexed(path)
		var is_met := false
		match how:
			"equal":
				is_met = Nodes.is_alike(now, wanted)
			"not_equal":
				is_met = not Nodes.is_alike(now, wanted)
			"less":
				is_met = now < wanted
			"greater":
				is_met = now > wanted
			_:
				is_met = not Nodes.is_alike(now, first)
		if not is_met:
			return null
		return {"value": Values.say(now)}
	return {"last": func() -> Variant:
		if not is_instance_valid(node):
			return null
		return Values.say(node.get_indexed(path))}
