# What the engine knows of its properties and does not say in extension_api.json: the stored ones
# with a "/" or "_" in front, those an instance adds, hints, usage and default values. One JSON line.
extends SceneTree

const HEADINGS := PROPERTY_USAGE_GROUP | PROPERTY_USAGE_CATEGORY | PROPERTY_USAGE_SUBGROUP


func _init() -> void:
	var classes := {}
	for name in ClassDB.get_class_list():
		var entry := {"own": rows(ClassDB.class_get_property_list(name, true))}
		if ClassDB.can_instantiate(name) and ClassDB.class_get_api_type(name) == ClassDB.API_CORE:
			entry.defaults = defaults(name)
			# An instance of anything else, a server for one, may not come without consequences.
			if ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource"):
				entry.added = added(name)
		classes[name] = entry
	var file := FileAccess.open("res://properties.json", FileAccess.WRITE)
	file.store_string(JSON.stringify(classes))
	file.close()
	quit()


func rows(properties: Array) -> Array:
	var out := []
	for p in properties:
		if not p.usage & HEADINGS:
			out.append({
				"name": p.name,
				"type": type_string(p.type),
				"class": p.class_name,
				"hint": p.hint,
				"hint_text": p.hint_string,
				"usage": p.usage,
			})
	return out


func defaults(name: StringName) -> Dictionary:
	var out := {}
	for p in ClassDB.class_get_property_list(name, false):
		if p.usage & PROPERTY_USAGE_STORAGE:
			out[p.name] = var_to_str(ClassDB.class_get_property_default_value(name, p.name))
	return out


func added(name: StringName) -> Array:
	var known := {}
	for p in ClassDB.class_get_property_list(name, false):
		known[p.name] = true
	var instance: Object = ClassDB.instantiate(name)
	var out := rows(instance.get_property_list().filter(func(p): return not known.has(p.name)))
	if instance is Node:
		instance.free()
	return out
