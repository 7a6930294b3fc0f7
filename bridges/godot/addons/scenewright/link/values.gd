@tool
extends RefCounted
## Values as JSON and back. What JSON has no form for is a text as Godot writes it.

const MAX_DEPTH := 6
const MAX_ITEMS := 200
const MAX_TEXT := 4000
## How many numbers each of these is.
const SIZES := {
	TYPE_VECTOR2: 2, TYPE_VECTOR2I: 2, TYPE_VECTOR3: 3, TYPE_VECTOR3I: 3, TYPE_VECTOR4: 4,
	TYPE_QUATERNION: 4, TYPE_COLOR: 4, TYPE_RECT2: 4,
}


## A value as JSON.
static func say(value: Variant, depth := 0) -> Variant:
	match typeof(value):
		TYPE_NIL, TYPE_BOOL:
			return value
		TYPE_INT:
			# Beyond this a reader of JSON may round.
			if absi(value) > 9007199254740992:
				return str(value)
			return value
		TYPE_FLOAT:
			if not is_finite(value):
				return var_to_str(value)
			return value
		TYPE_STRING, TYPE_STRING_NAME, TYPE_NODE_PATH:
			return _cut(str(value))
		TYPE_VECTOR2, TYPE_VECTOR2I:
			return _members({"x": value.x, "y": value.y}, value)
		TYPE_VECTOR3, TYPE_VECTOR3I:
			return _members({"x": value.x, "y": value.y, "z": value.z}, value)
		TYPE_VECTOR4, TYPE_VECTOR4I, TYPE_QUATERNION:
			return _members({"x": value.x, "y": value.y, "z": value.z, "w": value.w}, value)
		TYPE_COLOR:
			return _members({"r": value.r, "g": value.g, "b": value.b, "a": value.a}, value)
		TYPE_RECT2, TYPE_RECT2I:
			return {"position": say(value.position), "size": say(value.size)}
		TYPE_OBJECT:
			return _say_object(value)
		TYPE_DICTIONARY:
			return _say_pairs(value, depth)
		TYPE_CALLABLE, TYPE_SIGNAL, TYPE_RID:
			return str(value)
	if typeof(value) >= TYPE_ARRAY:
		return _say_items(value, depth)
	return var_to_str(value)


## The value that is meant, for a place of a type; [code][false, why][/code] when there is none.
static func read(said: Variant, type: int, hint: String, from: Node) -> Array:
	if said == null:
		if type == TYPE_NIL or type == TYPE_OBJECT:
			return [true, null]
		return [false, "null is no %s" % type_string(type)]
	match type:
		TYPE_NIL:
			return [true, _plain(said)]
		TYPE_BOOL:
			if said is bool:
				return [true, said]
			if said is float and (said == 0.0 or said == 1.0):
				return [true, said == 1.0]
		TYPE_INT:
			if said is float and said == floorf(said):
				return [true, int(said)]
			if said is String and said.is_valid_int():
				return [true, said.to_int()]
			if said is bool:
				return [true, int(said)]
		TYPE_FLOAT:
			if said is float:
				return [true, said]
			if said is String and said.is_valid_float():
				return [true, said.to_float()]
		TYPE_STRING:
			if said is String:
				return [true, said]
		TYPE_STRING_NAME:
			if said is String:
				return [true, StringName(said)]
		TYPE_NODE_PATH:
			if said is String:
				return [true, NodePath(said)]
		TYPE_COLOR:
			if said is String and Color.html_is_valid(said):
				return [true, Color.html(said)]
		TYPE_OBJECT:
			return _read_object(said, hint, from)
		TYPE_DICTIONARY:
			if said is Dictionary:
				return [true, _plain(said)]
	var made: Variant = _made(said, type)
	if typeof(made) == type:
		return [true, made]
	return [false, "%s is no %s" % [JSON.stringify(said), type_string(type)]]


static func _made(said: Variant, type: int) -> Variant:
	if said is String:
		# The text of an object would make one.
		if said.contains("Object("):
			return null
		return str_to_var(said)
	var numbers := _numbers(said)
	if numbers.size() == SIZES.get(type, 0):
		match type:
			TYPE_VECTOR2:
				return Vector2(numbers[0], numbers[1])
			TYPE_VECTOR2I:
				return Vector2i(int(numbers[0]), int(numbers[1]))
			TYPE_VECTOR3:
				return Vector3(numbers[0], numbers[1], numbers[2])
			TYPE_VECTOR3I:
				return Vector3i(int(numbers[0]), int(numbers[1]), int(numbers[2]))
			TYPE_VECTOR4:
				return Vector4(numbers[0], numbers[1], numbers[2], numbers[3])
			TYPE_QUATERNION:
				return Quaternion(numbers[0], numbers[1], numbers[2], numbers[3])
			TYPE_COLOR:
				return Color(numbers[0], numbers[1], numbers[2], numbers[3])
			TYPE_RECT2:
				return Rect2(numbers[0], numbers[1], numbers[2], numbers[3])
	if type == TYPE_COLOR and numbers.size() == 3:
		return Color(numbers[0], numbers[1], numbers[2])
	if type >= TYPE_ARRAY and said is Array:
		return type_convert(_plain(said), type)
	return null


static func _numbers(said: Variant) -> Array:
	var items: Array = []
	if said is Array:
		items = said
	elif said is Dictionary:
		for name: String in ["position", "size"]:
			if said.has(name):
				items.append_array(_numbers(said[name]))
		for name: String in ["x", "y", "z", "w", "r", "g", "b", "a"]:
			if said.has(name):
				items.append(said[name])
	for item: Variant in items:
		if not item is float and not item is int:
			return []
	return items.duplicate()


static func _read_object(said: Variant, hint: String, from: Node) -> Array:
	if not said is String:
		return [false, "an object is given by the path of its file or of its node"]
	if said.begins_with("res://") or said.begins_with("uid://"):
		if not ResourceLoader.exists(said):
			return [false, "there is no resource %s" % said]
		return [true, load(said)]
	var node := from.get_node_or_null(NodePath(said)) if from != null else null
	if node == null:
		return [false, "there is no node %s (%s)" % [said, hint]]
	return [true, node]


## Whole numbers are whole again.
static func _plain(said: Variant) -> Variant:
	if said is float and said == floorf(said) and absf(said) < 9007199254740992.0:
		return int(said)
	if said is Array:
		return said.map(_plain)
	if said is Dictionary:
		var pairs := {}
		for key: Variant in said:
			pairs[key] = _plain(said[key])
		return pairs
	return said


static func _members(members: Dictionary, value: Variant) -> Variant:
	for name: String in members:
		if members[name] is float and not is_finite(members[name]):
			return var_to_str(value)
	return members


static func _say_object(value: Variant) -> Variant:
	if not is_instance_valid(value):
		return null
	if value is Node:
		return {"node": str(value.get_path()) if value.is_inside_tree() else str(value.name), "class": value.get_class()}
	if value is Resource and value.resource_path != "" and not value.resource_path.contains("::"):
		return value.resource_path
	return {"class": value.get_class(), "id": str(value.get_instance_id())}


static func _say_items(items: Variant, depth: int) -> Variant:
	if depth >= MAX_DEPTH:
		return "… %d items" % items.size()
	var said: Array = []
	for at in mini(items.size(), MAX_ITEMS):
		said.append(say(items[at], depth + 1))
	if items.size() > MAX_ITEMS:
		said.append("… %d more" % (items.size() - MAX_ITEMS))
	return said


static func _say_pairs(pairs: Dictionary, depth: int) -> Variant:
	if depth >= MAX_DEPTH:
		return "… %d pairs" % pairs.size()
	var said := {}
	for key: Variant in pairs:
		if said.size() == MAX_ITEMS:
			said["…"] = "%d more" % (pairs.size() - MAX_ITEMS)
			break
		said[key if key is String else str(key)] = say(pairs[key], depth + 1)
	return said


static func _cut(text: String) -> String:
	return text if text.length() <= MAX_TEXT else "%s… %d more characters" % [text.left(MAX_TEXT), text.length() - MAX_TEXT]


## A picture, made smaller where a side is longer than [param most], as PNG in base64.
static func picture(image: Image, part: Rect2i, most: int) -> Dictionary:
	if image == null or image.is_empty():
		return {"error": {"code": 1002, "message": "nothing was drawn"}}
	if part.has_area():
		image = image.get_region(part)
	var longest := maxi(image.get_width(), image.get_height())
	if longest > most:
		var scale := float(most) / longest
		image.resize(maxi(1, int(image.get_width() * scale)), maxi(1, int(image.get_height() * scale)), Image.INTERPOLATE_LANCZOS)
	return {"result": {
		"png": Marshalls.raw_to_base64(image.save_png_to_buffer()),
		"width": image.get_width(), "height": image.get_height(),
	}}
