extends Node
## What the whole game shares: add this script under Project Settings > Globals > Autoload.
## Values are set through set_value, so that everyone who listens hears of them, and survive
## a restart once save has been called.

signal value_changed(key: StringName, value: Variant)

const SAVE_PATH := "user://state.json"

var _values: Dictionary = {}


func _ready() -> void:
	# The game's state outlives a pause.
	process_mode = Node.PROCESS_MODE_ALWAYS
	restore()


func get_value(key: StringName, default: Variant = null) -> Variant:
	return _values.get(key, default)


func set_value(key: StringName, value: Variant) -> void:
	if _values.has(key) and _values[key] == value:
		return
	_values[key] = value
	value_changed.emit(key, value)


func reset() -> void:
	for key: StringName in _values.keys():
		_values.erase(key)
		value_changed.emit(key, null)


## Writes all values; false when the file cannot be written.
func save() -> bool:
	var file := FileAccess.open(SAVE_PATH, FileAccess.WRITE)
	if file == null:
		push_error("cannot write %s: %s" % [SAVE_PATH, error_string(FileAccess.get_open_error())])
		return false
	file.store_string(JSON.stringify(_values))
	return true


## Reads what save wrote; false when there is nothing to read.
func restore() -> bool:
	if not FileAccess.file_exists(SAVE_PATH):
		return false
	var text := FileAccess.get_file_as_string(SAVE_PATH)
	var saved: Variant = JSON.parse_string(text)
	if not saved is Dictionary:
		push_warning("%s is damaged and was left alone" % SAVE_PATH)
		return false
	for key: String in saved:
		set_value(StringName(key), saved[key])
	return true
