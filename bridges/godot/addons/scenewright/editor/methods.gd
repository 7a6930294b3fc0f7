@tool
extends RefCounted
## What the editor answers.

const Server := preload("../link/server.gd")
const Nodes := preload("../link/nodes.gd")
const Log := preload("../link/log.gd")
const Values := preload("../link/values.gd")
const Scenes := preload("scenes.gd")
const Changes := preload("changes.gd")
const Classes := preload("classes.gd")

## A game that was stopped is not yet gone for the editor.
const STOP_FRAMES := 10

var _plugin: EditorPlugin
var _log: Log
var _scenes: Scenes
var _changes: Changes
var _methods: Dictionary


func _init(plugin: EditorPlugin, lines: Log) -> void:
	_plugin = plugin
	_log = lines
	_scenes = Scenes.new(plugin)
	_changes = Changes.new(plugin, _scenes)
	_methods = {
		"state": _state,
		"tree": _tree,
		"node.get": _node,
		"scene.open": _scenes.open,
		"scene.save": _scenes.save,
		"scene.reload": _scenes.reload,
		"scene.close": _scenes.close,
		"scene.undo": _changes.undo,
		"scene.redo": _changes.redo,
		"scene.text": _changes.text,
		"scene.apply": _changes.apply,
		"select": _select,
		"play": _play,
		"stop": _stop,
		"log": _read_log,
		"scripts": _scripts,
		"class": Classes.tell,
		"picture": _picture,
		"files.changed": _scenes.files_changed,
	}


func answer(method: String, params: Dictionary, _session: RefCounted) -> Dictionary:
	var project: Variant = params.get("project")
	if project != Server.project_path():
		return Server.failed("this editor has the project %s open" % Server.project_path(), Server.BAD_PARAMS)
	if not _methods.has(method):
		return Server.failed("the editor has no '%s'" % method, Server.NO_SUCH_METHOD)
	return await (_methods[method] as Callable).call(params)


## The paths of the selected nodes in the scene that is shown.
func selection() -> Array:
	var root := EditorInterface.get_edited_scene_root()
	var paths: Array = []
	if root != null:
		for node in EditorInterface.get_selection().get_selected_nodes():
			paths.append(str(root.get_path_to(node)))
	return paths


func _state(_params: Dictionary) -> Dictionary:
	return {"result": {
		"scenes": _scenes.list(),
		"selection": selection(),
		"isPlaying": EditorInterface.is_playing_scene(),
		"playing": _playing(),
		"isScanning": EditorInterface.get_resource_filesystem().is_scanning(),
		"dialogs": _scenes.dialogs(),
		"godot": Engine.get_version_info()["string"],
		"version": Server.VERSION,
	}}


func _tree(params: Dictionary) -> Dictionary:
	var found := _scenes.node(params)
	if found.has("error"):
		return found
	return {"result": Nodes.list(found["node"], params, found["root"])}


func _node(params: Dictionary) -> Dictionary:
	var found := _scenes.node(params)
	if found.has("error"):
		return found
	var said := Nodes.properties(found["node"], params)
	said["path"] = str(found["root"].get_path_to(found["node"]))
	return {"result": said}


func _select(params: Dictionary) -> Dictionary:
	var root := _scenes.root(params)
	if root == null or root != EditorInterface.get_edited_scene_root():
		return _scenes.not_open(params)
	var nodes: Array[Node] = []
	for path: String in params.get("nodes", []):
		var node := root.get_node_or_null(NodePath(path))
		if node == null:
			return Server.failed("there is no node %s" % path, Server.BAD_PARAMS)
		nodes.append(node)
	var selection_now := EditorInterface.get_selection()
	selection_now.clear()
	for node in nodes:
		selection_now.add_node(node)
	# The inspector shows one node, and for that the editor selects it alone.
	if nodes.size() == 1:
		EditorInterface.edit_node(nodes[0])
	return {"result": {"selection": selection()}}


func _play(params: Dictionary) -> Dictionary:
	var scene: String = params.get("scene", "")
	if EditorInterface.is_playing_scene():
		EditorInterface.stop_playing_scene()
		for _frame in STOP_FRAMES:
			await _plugin.get_tree().process_frame
	match scene:
		"":
			EditorInterface.play_main_scene()
		"current":
			EditorInterface.play_current_scene()
		_:
			if not ResourceLoader.exists(scene):
				return Server.failed("there is no scene %s" % scene, Server.BAD_PARAMS)
			EditorInterface.play_custom_scene(scene)
	await _plugin.get_tree().process_frame
	return {"result": {"isPlaying": EditorInterface.is_playing_scene(), "scene": _playing()}}


## The scene that plays, by its path: the project may name its main scene by id.
static func _playing() -> String:
	var scene := EditorInterface.get_playing_scene()
	var id := ResourceUID.text_to_id(scene) if scene.begins_with("uid://") else ResourceUID.INVALID_ID
	return ResourceUID.get_id_path(id) if id != ResourceUID.INVALID_ID and ResourceUID.has_id(id) else scene


func _stop(_params: Dictionary) -> Dictionary:
	var was := EditorInterface.is_playing_scene()
	EditorInterface.stop_playing_scene()
	await _plugin.get_tree().process_frame
	return {"result": {"wasPlaying": was, "isPlaying": EditorInterface.is_playing_scene()}}


func _read_log(params: Dictionary) -> Dictionary:
	return {"result": _log.read(int(params.get("since", 0)), params.get("severity", ""), clampi(int(params.get("limit", 100)), 1, 1000), params.get("tail", false))}


## The scripts that are open with their text, where it differs from the file.
func _scripts(_params: Dictionary) -> Dictionary:
	var editor := EditorInterface.get_script_editor()
	var scripts := editor.get_open_scripts()
	var editors := editor.get_open_script_editors()
	var said: Array = []
	for at in scripts.size():
		var path: String = scripts[at].resource_path
		var one := {"path": path, "isUnsaved": false}
		var text: Control = editors[at].get_base_editor() if at < editors.size() else null
		if text is TextEdit:
			var saved := FileAccess.get_file_as_string(path)
			if text.text.replace("\r\n", "\n") != saved.replace("\r\n", "\n"):
				one["isUnsaved"] = true
				one["text"] = text.text.left(200000)
			one["line"] = text.get_caret_line() + 1
		said.append(one)
	return {"result": {"scripts": said}}


func _picture(params: Dictionary) -> Dictionary:
	var viewport: Viewport
	match params.get("of", "2d"):
		"2d":
			viewport = EditorInterface.get_editor_viewport_2d()
		"3d":
			viewport = EditorInterface.get_editor_viewport_3d(0)
		_:
			viewport = EditorInterface.get_base_control().get_viewport()
	if DisplayServer.get_name() == "headless":
		return Server.failed("this editor has no window, and without one Godot draws nothing")
	if params.get("of") == "2d" or params.get("of") == "3d":
		EditorInterface.set_main_screen_editor(String(params["of"]).to_upper())
	# An editor draws only what changed, so that the next picture may never come by itself.
	for _frame in 2:
		await _plugin.get_tree().process_frame
	RenderingServer.force_draw(false)
	return Values.picture(viewport.get_texture().get_image(), Rect2i(), int(params.get("most", 1280)))
