@tool
extends RefCounted
## The scenes that are open in the editor.

const Server := preload("../link/server.gd")
const Nodes := preload("../link/nodes.gd")

## How the editor marks the tab of a scene that is not saved.
const UNSAVED := "(*)"
const MAX_FRAMES := 600

var _plugin: EditorPlugin
var _tabs: TabBar


func _init(plugin: EditorPlugin) -> void:
	_plugin = plugin


## Every open scene that has a file, in the order of the tabs.
func list() -> Array:
	var said: Array = []
	var unsaved := _unsaved()
	var active := EditorInterface.get_edited_scene_root()
	for path in EditorInterface.get_open_scenes():
		var one := {"scene": path, "isActive": active != null and active.scene_file_path == path}
		if unsaved.has(path):
			one["isUnsaved"] = unsaved[path]
		said.append(one)
	return said


## The root of the scene that a call names, if the editor has it open.
func root(params: Dictionary) -> Node:
	var wanted: String = params.get("scene", "")
	var active := EditorInterface.get_edited_scene_root()
	if active != null and active.scene_file_path == wanted:
		return active
	var editor := Engine.get_singleton(&"EditorInterface")
	if editor.has_method("get_open_scene_roots"):
		for open_root: Node in editor.call("get_open_scene_roots"):
			if open_root != null and open_root.scene_file_path == wanted:
				return open_root
	return null


## The node that a call names, with the root of its scene; or the error.
func node(params: Dictionary) -> Dictionary:
	var scene_root := root(params)
	if scene_root == null:
		return not_open(params)
	var path: String = params.get("path", ".")
	var found := scene_root if path == "" else scene_root.get_node_or_null(NodePath(path))
	if found == null or (found != scene_root and not scene_root.is_ancestor_of(found)):
		var names: Array = Nodes.list(scene_root, {"limit": 200}, scene_root)["names"]
		return Server.failed("there is no node %s in %s" % [path, params["scene"]], Server.BAD_PARAMS, {"known": names})
	return {"node": found, "root": scene_root}


func not_open(params: Dictionary) -> Dictionary:
	var open_scenes := EditorInterface.get_open_scenes()
	var wanted: String = params.get("scene", "")
	if wanted in open_scenes:
		return Server.failed("%s is open behind another tab, and only Godot 4.5 and later show it there" % wanted)
	return Server.failed("%s is not open in the editor" % wanted, Server.BAD_PARAMS, {"open": open_scenes})


## Whether a scene has changes that are not in its file; null when that cannot be told.
func is_unsaved(path: String) -> Variant:
	return _unsaved().get(path)


func open(params: Dictionary) -> Dictionary:
	var path: String = params.get("scene", "")
	if not ResourceLoader.exists(path, "PackedScene"):
		return Server.failed("there is no scene %s" % path, Server.BAD_PARAMS)
	EditorInterface.open_scene_from_path(path)
	for _frame in MAX_FRAMES:
		var active := EditorInterface.get_edited_scene_root()
		if active != null and active.scene_file_path == path:
			return {"result": {"scene": path, "scenes": list()}}
		await _plugin.get_tree().process_frame
	return Server.failed("%s did not open; the log tells why" % path)


func save(params: Dictionary) -> Dictionary:
	var shown := await _show(params)
	if shown.has("error"):
		return shown
	var path: String = params["scene"]
	var error := EditorInterface.save_scene()
	await _plugin.get_tree().process_frame
	if error != OK or is_unsaved(path) == true:
		return Server.failed("%s was not saved: %s" % [path, error_string(error)])
	return {"result": {"scene": path, "scenes": list()}}


func reload(params: Dictionary) -> Dictionary:
	if root(params) == null:
		return not_open(params)
	var path: String = params["scene"]
	if is_unsaved(path) == true and not params.get("discard", false):
		return Server.failed("%s has changes that are not saved; discard: true loses them" % path)
	EditorInterface.reload_scene_from_path(path)
	await _plugin.get_tree().process_frame
	return {"result": {"scene": path, "scenes": list()}}


func close(params: Dictionary) -> Dictionary:
	var path: String = params.get("scene", "")
	var editor := Engine.get_singleton(&"EditorInterface")
	if not editor.has_method("close_scene"):
		return Server.failed("this version of Godot cannot be told to close a scene")
	if is_unsaved(path) == true and not params.get("discard", false):
		return Server.failed("%s has changes that are not saved; discard: true loses them" % path)
	var shown := await _show(params)
	if shown.has("error"):
		return shown
	editor.call("close_scene")
	for _frame in MAX_FRAMES:
		if not path in EditorInterface.get_open_scenes():
			return {"result": {"scene": path, "scenes": list()}}
		await _plugin.get_tree().process_frame
	return Server.failed("%s did not close" % path)


## Files were written by somebody else: what is open and unchanged is read again, before the editor
## asks a person about it.
func files_changed(params: Dictionary) -> Dictionary:
	var reloaded: Array = []
	var kept: Array = []
	var files := EditorInterface.get_resource_filesystem()
	for path: String in params.get("paths", []):
		files.update_file(path)
		if not path in EditorInterface.get_open_scenes():
			if path.ends_with(".gd") and ResourceLoader.has_cached(path):
				_reload_script(path)
			continue
		if is_unsaved(path) == true:
			kept.append(path)
		elif not FileAccess.file_exists(path):
			kept.append(path)
		else:
			EditorInterface.reload_scene_from_path(path)
			reloaded.append(path)
	if not files.is_scanning():
		files.scan_sources()
	await _plugin.get_tree().process_frame
	return {"result": {"reloaded": reloaded, "kept": kept}}


## The dialogs that a person has before them.
func dialogs() -> Array:
	var titles: Array = []
	for window: Node in EditorInterface.get_base_control().find_children("*", "AcceptDialog", true, false):
		if (window as Window).visible:
			var text: String = (window as AcceptDialog).dialog_text
			titles.append((window as Window).title if text == "" else "%s: %s" % [(window as Window).title, text.left(200)])
	return titles


func _reload_script(path: String) -> void:
	var script := load(path) as GDScript
	if script != null:
		script.source_code = FileAccess.get_file_as_string(path)
		script.reload(true)


## Brings a scene to the front.
func _show(params: Dictionary) -> Dictionary:
	var path: String = params.get("scene", "")
	if not path in EditorInterface.get_open_scenes():
		return not_open(params)
	return await open(params)


func _unsaved() -> Dictionary:
	var known := {}
	if _tabs == null:
		_tabs = _find_tabs()
	var paths := EditorInterface.get_open_scenes()
	# Scenes without a file have tabs too, and then it is not known which is whose.
	if _tabs == null or _tabs.tab_count < paths.size():
		return known
	var at := 0
	for tab in _tabs.tab_count:
		var title := _tabs.get_tab_title(tab)
		if at < paths.size() and title.trim_suffix(UNSAVED).get_basename() == paths[at].get_file().get_basename():
			known[paths[at]] = title.ends_with(UNSAVED)
			at += 1
	return known


func _find_tabs() -> TabBar:
	for holder: Node in EditorInterface.get_base_control().find_children("*", "EditorSceneTabs", true, false):
		for bar: Node in holder.find_children("*", "TabBar", true, false):
			return bar as TabBar
	return null
