@tool
extends RefCounted
## Nodes of a tree, in the editor or in a game: listed, read, set.

const Values := preload("values.gd")
const Server := preload("server.gd")

const MAX_NODES := 20000
const MAX_VISITED := 200000


## The nodes below one, parents first, as columns: how deep, name, class, and what few nodes have.
## [param owner] leaves out what is not of that scene, unless it is null.
static func list(top: Node, params: Dictionary, owner: Node) -> Dictionary:
	var limit := clampi(int(params.get("limit", 1000)), 1, MAX_NODES)
	var skip := maxi(0, int(params.get("skip", 0)))
	var most_deep := int(params.get("depth", 1 << 30))
	var filter := Filter.new(params)
	var depths := PackedInt32Array()
	var names := PackedStringArray()
	var classes := PackedStringArray()
	var paths := PackedStringArray()
	var rest := {}
	var seen := 0
	var visited := 0
	var stack: Array[Node] = [top]
	var levels := PackedInt32Array([0])
	while not stack.is_empty():
		var node: Node = stack.pop_back()
		var level := levels[levels.size() - 1]
		levels.remove_at(levels.size() - 1)
		visited += 1
		if visited > MAX_VISITED:
			break
		if filter.is_all or filter.takes(node):
			if seen >= skip and names.size() < limit:
				var extra := _rest(node, level == most_deep)
				if not extra.is_empty():
					rest[str(names.size())] = extra
				depths.append(level)
				names.append(node.name)
				classes.append(node.get_class())
				if not filter.is_all:
					paths.append(str(top.get_path_to(node)))
			seen += 1
		if level >= most_deep:
			continue
		for at in range(node.get_child_count() - 1, -1, -1):
			var child := node.get_child(at)
			if owner == null or child.owner == owner or _is_shown(child, owner):
				stack.append(child)
				levels.append(level + 1)
	return {
		"depths": depths, "names": names, "classes": classes, "paths": paths, "rest": rest,
		"total": seen, "isWhole": visited <= MAX_VISITED,
	}


## Whether a node of an instance is one that the scene shows and may change.
static func _is_shown(node: Node, owner: Node) -> bool:
	var instance := node.owner
	return instance != null and instance != owner and owner.is_ancestor_of(instance) \
			and owner.is_editable_instance(instance)


static func _rest(node: Node, is_cut: bool) -> Dictionary:
	var extra := {}
	var script: Script = node.get_script()
	if script != null and script.resource_path != "":
		extra["script"] = script.resource_path
	if node.scene_file_path != "":
		extra["scene"] = node.scene_file_path
	if is_cut and node.get_child_count() > 0:
		extra["children"] = node.get_child_count()
	if (node is CanvasItem or node is Node3D or node is Window) and not node.visible:
		extra["hidden"] = true
	if not Engine.is_editor_hint() and not node.can_process():
		extra["paused"] = true
	return extra


class Filter:
	extends RefCounted
	var is_all := true
	var kind := ""
	var text := ""
	var group := ""
	var code := ""

	func _init(params: Dictionary) -> void:
		kind = params.get("class", "")
		text = params.get("name", "")
		group = params.get("group", "")
		code = params.get("script", "")
		is_all = kind == "" and text == "" and group == "" and code == ""

	func takes(node: Node) -> bool:
		if text != "" and not String(node.name).matchn(text) and not String(node.name).containsn(text):
			return false
		if group != "" and not node.is_in_group(group):
			return false
		var own: Script = node.get_script()
		if code != "" and (own == null or own.resource_path != code):
			return false
		return kind == "" or node.is_class(kind) or _is_of(own, kind)

	func _is_of(own: Script, name: String) -> bool:
		while own != null:
			if own.has_method("get_global_name") and own.get_global_name() == StringName(name):
				return true
			own = own.get_base_script()
		return false


## Properties of a node by name, or all that it stores and its script has.
static func properties(node: Node, params: Dictionary) -> Dictionary:
	var wanted: Array = params.get("names", [])
	var said := {}
	var unknown: Array = []
	if not wanted.is_empty():
		for name: String in wanted:
			var path := NodePath(name)
			if not _has(node, name.get_slice(":", 0)):
				unknown.append(name)
			else:
				var value: Variant = node.get_indexed(path) if name.contains(":") else node.get(StringName(name))
				said[name] = Values.say(value)
	else:
		for property: Dictionary in node.get_property_list():
			var usage: int = property["usage"]
			var is_value := usage & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP) == 0
			if is_value and usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_SCRIPT_VARIABLE) != 0:
				if not params.get("all", false) and _is_usual(node, property):
					continue
				said[property["name"]] = Values.say(node.get(property["name"]))
	var answer := {
		"path": str(node.get_path()), "class": node.get_class(), "properties": said,
		"groups": _groups(node), "children": node.get_child_count(),
	}
	if not unknown.is_empty():
		answer["unknown"] = unknown
		answer["known"] = _names(node)
	var script: Script = node.get_script()
	if script != null:
		answer["script"] = script.resource_path
	if params.get("methods", false):
		answer["methods"] = _methods(node, script)
		answer["signals"] = _signals(node)
	return answer


## Sets properties and tells what they are then.
static func set_properties(node: Node, values: Dictionary) -> Dictionary:
	var kinds := {}
	for property: Dictionary in node.get_property_list():
		kinds[property["name"]] = property
	var ready := {}
	for name: String in values:
		var first := name.get_slice(":", 0)
		if not kinds.has(first):
			return Server.failed("%s has no property '%s'" % [node.get_class(), first], Server.BAD_PARAMS, {"known": _names(node)})
		var type: int = kinds[first]["type"]
		if name.contains(":"):
			type = typeof(node.get_indexed(NodePath(name)))
		elif type == TYPE_NIL:
			type = typeof(node.get(name))
		var read := Values.read(values[name], type, str(kinds[first].get("class_name", "")), node)
		if not read[0]:
			return Server.failed("%s.%s: %s" % [node.get_class(), name, read[1]], Server.BAD_PARAMS)
		ready[name] = read[1]
	var now := {}
	var differs: Array = []
	for name: String in ready:
		node.set_indexed(NodePath(name), ready[name])
	for name: String in ready:
		var value: Variant = node.get_indexed(NodePath(name))
		now[name] = Values.say(value)
		if not is_alike(value, ready[name]):
			differs.append(name)
	return {"result": {"path": str(node.get_path()), "now": now, "differs": differs}}


## Whether two values are the same, as far as numbers of this precision can be.
static func is_alike(a: Variant, b: Variant) -> bool:
	if typeof(a) == TYPE_FLOAT and typeof(b) == TYPE_FLOAT:
		return is_equal_approx(a, b) or a == b
	if typeof(a) != typeof(b):
		return str(a) == str(b)
	if a is Vector2 or a is Vector3 or a is Color or a is Quaternion or a is Vector4:
		return a.is_equal_approx(b)
	return a == b


static func _has(node: Object, name: String) -> bool:
	return name in node


static func _names(node: Object) -> Array:
	var names: Array = []
	for property: Dictionary in node.get_property_list():
		if property["usage"] & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_SCRIPT_VARIABLE) != 0:
			names.append(property["name"])
	return names


static func _is_usual(node: Node, property: Dictionary) -> bool:
	if property["usage"] & PROPERTY_USAGE_SCRIPT_VARIABLE != 0:
		return false
	var usual: Variant = ClassDB.class_get_property_default_value(node.get_class(), property["name"])
	var value: Variant = node.get(property["name"])
	return typeof(usual) == typeof(value) and usual == value


static func _groups(node: Node) -> Array:
	var groups: Array = []
	for group: StringName in node.get_groups():
		# The engine's own begin so.
		if not String(group).begins_with("_"):
			groups.append(String(group))
	return groups


static func _methods(node: Node, script: Script) -> Array:
	var names: Array = []
	var of: Array = script.get_script_method_list() if script != null else ClassDB.class_get_method_list(node.get_class(), true)
	for method: Dictionary in of:
		var arguments: Array = method["args"].map(func(argument: Dictionary) -> String: return argument["name"])
		var text := "%s(%s)" % [method["name"], ", ".join(PackedStringArray(arguments))]
		if not names.has(text) and not text.begins_with("@"):
			names.append(text)
	return names


static func _signals(node: Node) -> Array:
	var said: Array = []
	for one: Dictionary in node.get_signal_list():
		var to: Array = []
		for connection: Dictionary in node.get_signal_connection_list(one["name"]):
			var callable: Callable = connection["callable"]
			var object := callable.get_object()
			to.append("%s.%s" % [object.get_path() if object is Node and object.is_inside_tree() else object, callable.get_method()])
		if not to.is_empty():
			said.append({"signal": one["name"], "to": to})
	return said
