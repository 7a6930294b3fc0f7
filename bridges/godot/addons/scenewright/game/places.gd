extends RefCounted
## Where nodes of the running game are.

const Server := preload("../link/server.gd")


## The node that a call names: a path from the root of the tree, or from the scene that runs.
static func find(link: Node, params: Dictionary, usual: String) -> Dictionary:
	var path: String = params.get("path", "")
	if path == "":
		path = usual
	var tree := link.get_tree()
	var node: Node = null
	if path.begins_with("/"):
		node = tree.root.get_node_or_null(NodePath(path))
	elif tree.current_scene != null:
		node = tree.current_scene.get_node_or_null(NodePath(path))
	if node == null:
		return Server.failed("there is no node '%s'" % path, Server.BAD_PARAMS, {"known": _near(tree, path)})
	return {"node": node}


## Where nodes of that name are.
static func _near(tree: SceneTree, path: String) -> Array:
	var name := path.get_file()
	var found: Array = []
	if name != "":
		for node: Node in tree.root.find_children("*%s*" % name, "", true, false):
			found.append(str(node.get_path()))
			if found.size() == 20:
				break
	if found.is_empty() and tree.current_scene != null:
		for child in tree.current_scene.get_children().slice(0, 20):
			found.append(str(child.get_path()))
	return found
