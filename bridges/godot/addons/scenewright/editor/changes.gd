@tool
extends RefCounted
## A scene as text with what is not saved, and what a text has become put into the open scene: as one
## action that a person can undo.

const Server := preload("../link/server.gd")
const Scenes := preload("scenes.gd")
const Difference := preload("difference.gd")

var _plugin: EditorPlugin
var _scenes: Scenes


func _init(plugin: EditorPlugin, scenes: Scenes) -> void:
	_plugin = plugin
	_scenes = scenes


func text(params: Dictionary) -> Dictionary:
	var root := _scenes.root(params)
	if root == null:
		return _scenes.not_open(params)
	var packed := PackedScene.new()
	var error := packed.pack(root)
	if error != OK:
		return Server.failed("the scene cannot be packed: %s" % error_string(error))
	var path := _place("open")
	error = ResourceSaver.save(packed, path)
	var said := FileAccess.get_file_as_string(path)
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
	if error != OK or said == "":
		return Server.failed("the scene cannot be written as text: %s" % error_string(error))
	return {"result": {"text": said, "version": _version(root), "isUnsaved": _scenes.is_unsaved(params["scene"])}}


func apply(params: Dictionary) -> Dictionary:
	var root := _scenes.root(params)
	if root == null:
		return _scenes.not_open(params)
	if int(params.get("version", -1)) != _version(root):
		return Server.failed("%s was changed in the editor since it was read; try again" % params["scene"])
	var before := _instance(params.get("before", ""), "before")
	var after := _instance(params.get("after", ""), "after")
	var wanted := _instance(params.get("after", ""), "after")
	var said: Dictionary
	if before == null or after == null or wanted == null:
		said = Server.failed("Godot cannot read the changed scene")
	else:
		said = _commit(params, root, before, after, wanted)
	for node: Node in [before, after, wanted]:
		if node != null:
			node.free()
	return said


func undo(params: Dictionary) -> Dictionary:
	return await _step(params, func(history: UndoRedo) -> bool: return history.undo())


func redo(params: Dictionary) -> Dictionary:
	return await _step(params, func(history: UndoRedo) -> bool: return history.redo())


func _commit(params: Dictionary, root: Node, before: Node, after: Node, wanted: Node) -> Dictionary:
	var title := "scenewright: %s" % params.get("title", "edit")
	var manager := _plugin.get_undo_redo()
	manager.create_action(title, UndoRedo.MERGE_DISABLE, root)
	var difference := Difference.new(manager, root, before, after)
	var count := difference.write()
	manager.commit_action()
	var left := Difference.compare(root, wanted)
	if not left.is_empty():
		_history(root).undo()
		return Server.failed("the editor did not take it and has its scene as before: %s" % "; ".join(left.slice(0, 5)))
	return {"result": {"steps": count, "title": title, "version": _version(root), "isUnsaved": _scenes.is_unsaved(params["scene"])}}


func _step(params: Dictionary, step: Callable) -> Dictionary:
	var root := _scenes.root(params)
	if root == null:
		return _scenes.not_open(params)
	var history := _history(root)
	var name := history.get_current_action_name()
	if not step.call(history):
		return Server.failed("there is nothing more in the history of %s" % params["scene"])
	await _plugin.get_tree().process_frame
	return {"result": {"was": name, "now": history.get_current_action_name(), "isUnsaved": _scenes.is_unsaved(params["scene"])}}


func _history(root: Node) -> UndoRedo:
	var manager := _plugin.get_undo_redo()
	return manager.get_history_undo_redo(manager.get_object_history_id(root))


func _version(root: Node) -> int:
	return _history(root).get_version()


func _instance(text_of_scene: String, name: String) -> Node:
	var path := _place(name)
	var file := FileAccess.open(path, FileAccess.WRITE)
	if file == null:
		return null
	file.store_string(text_of_scene)
	file.close()
	var packed := ResourceLoader.load(path, "PackedScene", ResourceLoader.CACHE_MODE_IGNORE) as PackedScene
	DirAccess.remove_absolute(ProjectSettings.globalize_path(path))
	return packed.instantiate(PackedScene.GEN_EDIT_STATE_MAIN) if packed != null else null


func _place(name: String) -> String:
	return "%s/%s-%d.tscn" % [Server.FOLDER, name, OS.get_process_id()]
