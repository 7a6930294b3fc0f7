@tool
extends EditorPlugin
## The editor's side of the link.

const Server := preload("link/server.gd")
const Log := preload("link/log.gd")
const Methods := preload("editor/methods.gd")
const Export := preload("editor/export.gd")

const AUTOLOAD := "ScenewrightLink"
const NAP_USEC := 1000

var _server := Server.new()
var _log := Log.new()
var _methods: Methods
var _export: EditorExportPlugin
var _usual_nap := -1
var _was_playing := false


func _enter_tree() -> void:
	_export = Export.new()
	add_export_plugin(_export)
	if _is_errand():
		set_process(false)
		return
	_log.start()
	_methods = Methods.new(self, _log)
	var error := _server.start("editor", _methods.answer)
	if error != OK:
		push_warning("scenewright: the editor cannot be reached: %s" % error_string(error))
		set_process(false)
		return
	scene_changed.connect(_on_scene_changed)
	scene_closed.connect(func(path: String) -> void: _server.tell("scene_closed", {"scene": path}))
	scene_saved.connect(func(path: String) -> void: _server.tell("scene_saved", {"scene": path}))
	EditorInterface.get_selection().selection_changed.connect(_on_selection_changed)


func _exit_tree() -> void:
	remove_export_plugin(_export)
	_server.stop()
	_log.stop()
	_rest()


func _process(_delta: float) -> void:
	_server.serve()
	if not _server.has_clients:
		_rest()
		return
	# An editor that waits for its next turn answers late; it sets this back when its window changes.
	if OS.low_processor_usage_mode_sleep_usec != NAP_USEC:
		_usual_nap = OS.low_processor_usage_mode_sleep_usec
		OS.low_processor_usage_mode_sleep_usec = NAP_USEC
	var lines := _log.fresh(20)
	if not lines.is_empty():
		_server.tell("output", lines)
	if EditorInterface.is_playing_scene() != _was_playing:
		_was_playing = not _was_playing
		_server.tell("play", {"isPlaying": _was_playing, "scene": EditorInterface.get_playing_scene()})


func _enable_plugin() -> void:
	if not ProjectSettings.has_setting("autoload/" + AUTOLOAD):
		add_autoload_singleton(AUTOLOAD, (get_script() as Script).resource_path.get_base_dir() + "/runtime.gd")


func _disable_plugin() -> void:
	if ProjectSettings.has_setting("autoload/" + AUTOLOAD):
		remove_autoload_singleton(AUTOLOAD)


func _rest() -> void:
	if _usual_nap >= 0:
		OS.low_processor_usage_mode_sleep_usec = _usual_nap
		_usual_nap = -1


## Whether this editor only does something and ends: imports, exports, writes documentation.
func _is_errand() -> bool:
	for argument in OS.get_cmdline_args():
		if argument == "--import" or argument == "--doctool" or argument.begins_with("--export"):
			return true
	return false


func _on_scene_changed(root: Node) -> void:
	_server.tell("scene_changed", {"scene": root.scene_file_path if root != null else ""})


func _on_selection_changed() -> void:
	if _server.has_clients:
		_server.tell("selection", {"nodes": _methods.selection()})
