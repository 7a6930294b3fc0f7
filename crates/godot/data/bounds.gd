# Makes bounds.txt: which numbers Godot itself does not keep, or complains about. Every stored number
# with a range is set beside its bounds on a new object and read back, and every other one below
# zero. Run it with
#   godot --headless --path PROJECT --script bounds.gd | grep "^~" | cut -c2- > bounds.txt
# in any project; its answers are those of the Godot that runs it.
extends SceneTree

# How far beyond its bounds a number is tried. Where the engine takes one of them and not another,
# as with an octant of -6 but not of 0, there is no bound.
const STEPS := [1, 7, 1000, 1000000]

# Numbers whose bounds are other properties of the same object.
const RELATIVE := ["Range\tmax_value", "Range\tvalue"]

# Hears the engine's errors.
var ear := Ear.new()
# Whether an error counts. An object without its surroundings complains about more than one in a
# scene, so that is asked only of numbers that are kept.
var hears := false


class Ear extends Logger:
	var errors := 0

	func _log_error(_function: String, _file: String, _line: int, _code: String, _rationale: String, _notify: bool, type: int, _backtraces: Array[ScriptBacktrace]) -> void:
		if type != ERROR_TYPE_WARNING:
			errors += 1


func _init() -> void:
	OS.add_logger(ear)
	var found := {}
	for name: String in ClassDB.get_class_list():
		var is_kept := ClassDB.is_parent_class(name, "Node") or ClassDB.is_parent_class(name, "Resource")
		if is_kept and ClassDB.can_instantiate(name):
			probe(name, found)
	var rows := []
	for place: String in found:
		var bounds: Array = found[place].values().filter(func(one): return one != ["", ""])
		# What depends on the rest of the object is no rule.
		var is_one := bounds.all(func(other): return other == bounds[0])
		if bounds.is_empty() or not is_one or place in RELATIVE:
			continue
		rows.append("%s\t%s\t%s" % [place, bounds[0][0], bounds[0][1]])
		# A class that takes what others with the same property do not.
		for name: String in found[place]:
			if found[place][name] == ["", ""]:
				rows.append("%s\t%s\t\t" % [name, place.get_slice("\t", 1)])
	rows.sort()
	for row: String in rows:
		print("~", row)
	quit()


func probe(name: String, found: Dictionary) -> void:
	var object: Object = ClassDB.instantiate(name)
	for property in stored(name, object):
		if not property.type in [TYPE_INT, TYPE_FLOAT]:
			continue
		var bounds := []
		for is_second in [false, true]:
			hears = is_second
			if property.hint == PROPERTY_HINT_RANGE:
				bounds = ask(name, object, property)
			elif property.hint == PROPERTY_HINT_NONE:
				bounds = ask_below(name, property)
			if bounds != ["", ""]:
				break
		if not bounds.is_empty():
			found.get_or_add("%s\t%s" % [declaring(name, property.name), property.name], {})[name] = bounds
	if object is Node:
		object.free()


# The properties that are stored, also those that a new object hides until another one is set. Those
# of a series are not among them: they are there only where their item is.
func stored(name: String, object: Object) -> Array:
	var is_stored := func(one: Dictionary) -> bool: return one.usage & PROPERTY_USAGE_STORAGE
	var shown := object.get_property_list().filter(is_stored)
	var names := shown.map(func(one: Dictionary) -> String: return one.name)
	var is_hidden := func(one: Dictionary) -> bool: return one.name not in names and not "/" in one.name
	return shown + ClassDB.class_get_property_list(name).filter(is_stored).filter(is_hidden)


# The class that declares a property.
func declaring(name: String, property: String) -> String:
	while true:
		var above := ClassDB.get_parent_class(name)
		var has := func(one: Dictionary) -> bool: return one.name == property
		if above == "" or not ClassDB.class_get_property_list(above).any(has):
			return name
		name = above
	return name


func ask(name: String, object: Object, property: Dictionary) -> Array:
	var parts: PackedStringArray = property.hint_string.split(",")
	if parts.size() < 2:
		return []
	var low := float(parts[0])
	var high := float(parts[1])
	if property.hint_string.contains("radians_as_degrees"):
		low = deg_to_rad(low)
		high = deg_to_rad(high)
	var is_whole: bool = property.type == TYPE_INT
	for inner in [(low + high) / 2.0, high, low, object.get(property.name)]:
		var start = int(inner) if is_whole else inner
		if takes(name, property, start):
			return [bound(name, property, start, low, -1), bound(name, property, start, high, 1)]
	return []


# Whether a number without a range may be negative: sizes, counts and places may not.
func ask_below(name: String, property: Dictionary) -> Array:
	# How many there are, or how fast it goes, may have to be one or more.
	var is_whole: bool = property.type == TYPE_INT
	var some := [0, 1, 10] if is_whole else [0.0, 1.0, 10.0]
	if not takes(name, property, some[0]) and takes(name, property, some[1]) and takes(name, property, some[2]):
		return [bound(name, property, some[2], 1.0, -1), ""]
	for inner in [1, 10, 0]:
		var start = inner if is_whole else float(inner)
		if takes(name, property, start):
			return [bound(name, property, start, 0.0, -1), ""]
	return []


func takes(name: String, property: Dictionary, value) -> bool:
	var before := ear.errors
	var now = read_back(name, property, value)
	if hears and ear.errors > before:
		return false
	if now == null or property.type == TYPE_INT:
		return now == value
	return absf(now - value) <= 1e-5 * maxf(1.0, absf(value))


func is_zero_fine(name: String, property: Dictionary) -> bool:
	var before := ear.errors
	return read_back(name, property, 0.0) == 0.0 and not (hears and ear.errors > before)


func read_back(name: String, property: Dictionary, value):
	var object: Object = ClassDB.instantiate(name)
	object.set(property.name, value)
	var now = object.get(property.name)
	if object is Node:
		object.free()
	return now


# Whether all numbers beyond the first that is refused are refused too.
func is_far(beyond: Array, edge: float, way: int) -> bool:
	var refused := STEPS.filter(func(step): return (edge + way * step - beyond[0]) * way >= 0)
	return refused.size() == beyond.size()


# The last number that stays: nothing when all do, or when it is inside of what the inspector
# offers, where something else decides.
func bound(name: String, property: Dictionary, inner, edge: float, way: int) -> String:
	var is_whole: bool = property.type == TYPE_INT
	var beyond := STEPS.map(func(step): return edge + way * step)
	if is_whole:
		beyond = beyond.map(func(value): return int(value))
	beyond = beyond.filter(func(value): return not takes(name, property, value))
	if beyond.is_empty() or (beyond.size() < STEPS.size() and not is_far(beyond, edge, way)):
		return ""
	var bad = beyond[0]
	var good = inner
	for halving in 64:
		var middle = (bad + good) / 2 if is_whole else (bad + good) / 2.0
		if middle == good or middle == bad:
			break
		if takes(name, property, middle):
			good = middle
		else:
			bad = middle
	if is_whole:
		return "=%d" % good if (good - edge) * way >= 0 else ""
	for nice: float in [edge, 0.0, 0.001, 0.01, 0.1, 1.0]:
		var is_it := absf(nice - good) <= 3e-5 * maxf(1.0, absf(nice))
		if is_it and (nice - edge) * way >= -1e-9:
			# The number itself may be refused where everything beside it is fine.
			var is_fine := is_zero_fine(name, property) if nice == 0.0 else takes(name, property, nice)
			var is_strict: bool = way < 0 and not is_fine
			return (">" if is_strict else "=") + String.num(nice, 6).trim_suffix(".0")
	return ""
