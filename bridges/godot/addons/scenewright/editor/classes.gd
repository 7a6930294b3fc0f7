@tool
extends RefCounted
## Classes as this editor knows them: the engine's, those of extensions, and the project's scripts.

const Server := preload("../link/server.gd")


static func tell(params: Dictionary) -> Dictionary:
	var name: String = params.get("name", "")
	if ClassDB.class_exists(name):
		return {"result": _engines(name)}
	for one: Dictionary in ProjectSettings.get_global_class_list():
		if one["class"] == StringName(name):
			return {"result": _scripts(one)}
	var near: Array = []
	for other in ClassDB.get_class_list():
		if other.containsn(name) and near.size() < 20:
			near.append(other)
	return Server.failed("there is no class %s" % name, Server.BAD_PARAMS, {"known": near})


static func _engines(name: String) -> Dictionary:
	var api := "engine"
	if ClassDB.has_method("class_get_api_type"):
		match int(ClassDB.call("class_get_api_type", name)):
			1:
				api = "editor"
			2:
				api = "extension"
			3:
				api = "editor extension"
	var heirs: Array = []
	for heir in ClassDB.get_inheriters_from_class(name):
		if ClassDB.get_parent_class(heir) == StringName(name):
			heirs.append(heir)
	return {
		"class": name, "from": api, "inherits": ClassDB.get_parent_class(name), "heirs": heirs,
		"canInstantiate": ClassDB.can_instantiate(name),
		"properties": _values(ClassDB.class_get_property_list(name, true), name),
		"methods": _methods(ClassDB.class_get_method_list(name, true)),
		"signals": _methods(ClassDB.class_get_signal_list(name, true)),
	}


static func _scripts(one: Dictionary) -> Dictionary:
	var script: Script = load(one["path"])
	return {
		"class": one["class"], "from": one["path"], "inherits": one["base"], "heirs": [],
		"canInstantiate": script != null and script.can_instantiate(),
		"properties": _values(script.get_script_property_list() if script != null else [], ""),
		"methods": _methods(script.get_script_method_list() if script != null else []),
		"signals": _methods(script.get_script_signal_list() if script != null else []),
	}


static func _values(list: Array, of: String) -> Array:
	var said: Array = []
	for property: Dictionary in list:
		if property["usage"] & (PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_GROUP | PROPERTY_USAGE_SUBGROUP | PROPERTY_USAGE_INTERNAL) != 0:
			continue
		var kind := str(property["class_name"]) if property["class_name"] != &"" else type_string(property["type"])
		var text := "%s: %s" % [property["name"], kind]
		if of != "":
			var usual: Variant = ClassDB.class_get_property_default_value(of, property["name"])
			if usual != null and not usual is Object:
				text += " = %s" % var_to_str(usual)
		said.append(text)
	return said


static func _methods(list: Array) -> Array:
	var said: Array = []
	for method: Dictionary in list:
		var arguments := PackedStringArray()
		for argument: Dictionary in method["args"]:
			arguments.append("%s: %s" % [argument["name"], _kind(argument)])
		var text := "%s(%s)" % [method["name"], ", ".join(arguments)]
		if method.has("return") and method["return"]["type"] != TYPE_NIL:
			text += " -> %s" % _kind(method["return"])
		said.append(text)
	return said


static func _kind(of: Dictionary) -> String:
	if of["class_name"] != &"":
		return of["class_name"]
	return "Variant" if of["type"] == TYPE_NIL else type_string(of["type"])
