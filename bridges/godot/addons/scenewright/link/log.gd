@tool
extends RefCounted
## The last lines of what the engine and scripts say, each with a number that never comes again.

const MAX_LINES := 10000
const MAX_TEXT := 2000

## Only Godot 4.5 and later have the class, so that it is no file that an earlier one would read.
const LISTENER := "
extends Logger
var heard: Callable
func _log_message(message: String, error: bool) -> void:
	heard.call('error' if error else 'info', message, '', 0)
func _log_error(function: String, file: String, line: int, code: String, rationale: String, _editor_notify: bool, error_type: int, script_backtraces: Array) -> void:
	var place := file
	var at := line
	for trace in script_backtraces:
		if trace.get_frame_count() > 0:
			place = trace.get_frame_file(0)
			at = trace.get_frame_line(0)
			break
	var text := rationale if rationale != '' else code
	heard.call('warning' if error_type == 1 else 'error', text, place, at)
"

var _lock := Mutex.new()
var _lines: Array[Dictionary] = []
var _begin := 0
var _next := 1
var _told := 1
var _listener: Object
var _colours := RegEx.create_from_string("\\x1b\\[[0-9;]*m")


## Begins to listen; false where the engine has no such thing.
func start() -> bool:
	if not ClassDB.class_exists(&"Logger"):
		return false
	var script := GDScript.new()
	script.source_code = LISTENER
	if script.reload() != OK:
		return false
	_listener = script.new()
	_listener.set("heard", _heard)
	OS.call("add_logger", _listener)
	return true


func stop() -> void:
	if _listener != null:
		OS.call("remove_logger", _listener)
		_listener = null


## The lines after a number, at most so many, the newest where there are more when [param is_tail].
func read(since: int, severity: String, limit: int, is_tail: bool) -> Dictionary:
	_lock.lock()
	var found: Array[Dictionary] = []
	var first := _next - (_lines.size() - _begin)
	var lost := maxi(0, first - since - 1) if since > 0 else 0
	var more := 0
	var at := maxi(_begin, _begin + since + 1 - first)
	while at < _lines.size():
		var line := _lines[at]
		at += 1
		if not _is_wanted(line["severity"], severity):
			continue
		found.append(line)
		if is_tail and found.size() > limit:
			found.pop_front()
		elif not is_tail and found.size() == limit:
			break
	var last := _next - 1
	if not is_tail and not found.is_empty() and found.size() == limit:
		last = found.back()["number"]
		more = _lines.size() - at
	_lock.unlock()
	return {"lines": found, "cursor": last, "lost": lost, "more": more, "isHeard": _listener != null}


## The number of the last line.
func cursor() -> int:
	return _next - 1


## The lines that were not told yet, for events: the first ones and how many there are.
func fresh(limit: int) -> Dictionary:
	if _told == _next:
		return {}
	var said := read(_told - 1, "", limit, false)
	said["count"] = _next - _told
	_told = _next
	return said


static func _is_wanted(severity: String, wanted: String) -> bool:
	match wanted:
		"error":
			return severity == "error"
		"warning":
			return severity != "info"
	return true


func _heard(severity: String, text: String, file: String, line: int) -> void:
	var said := {"severity": severity, "text": _colours.sub(text, "", true).strip_edges(false, true).left(MAX_TEXT)}
	if file != "":
		said["file"] = file
		said["line"] = line
	_lock.lock()
	said["number"] = _next
	_next += 1
	_lines.append(said)
	# What is behind the beginning goes at once and not one by one.
	if _lines.size() - _begin > MAX_LINES:
		_begin += 1
		if _begin > MAX_LINES:
			_lines = _lines.slice(_begin)
			_begin = 0
	_lock.unlock()
