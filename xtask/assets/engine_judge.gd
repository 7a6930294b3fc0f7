# What the engine makes of a project's files. Reads visits from the JSON file that the first
# argument names and writes answers into the second: for each scene its nodes and connections, and
# each value that does not come out as it was read. A visit may bring files of its own.
extends SceneTree

var problems: PackedStringArray = []
# Resources stay loaded, so that those inside of files can be found by their paths.
var loaded := {}
# The root of each scene.
var roots := {}


# Not `_init`: the project's autoloads have to be there before scripts that name them are read.
func _initialize() -> void:
	var arguments := OS.get_cmdline_user_args()
	var visits: Array = JSON.parse_string(FileAccess.get_file_as_string(arguments[0]))
	var answers := []
	for number in visits.size():
		# What goes wrong is told on both streams, below these lines.
		print("-- visit %d" % number)
		printerr("-- visit %d" % number)
		answers.append(visit(visits[number]))
	var file := FileAccess.open(arguments[1], FileAccess.WRITE)
	file.store_string(JSON.stringify(answers))
	file.close()
	quit()


func visit(asked: Dictionary) -> Dictionary:
	problems = []
	var held := func(path: String) -> bool: return ResourceLoader.has_cached("res://" + path)
	if asked.written.any(held):
		return {"stale": true, "scenes": {}, "problems": []}
	for path: String in asked.written:
		put(asked.from.path_join(path), "res://" + path)
	for path: String in asked.files:
		read(path)
	var scenes := {}
	for path: String in roots:
		scenes[path] = {
			"nodes": nodes(roots[path]),
			"connections": connections(loaded[path].get_state()),
		}
	for row: Dictionary in asked.values:
		judge(row)
	for path: String in roots:
		roots[path].free()
	roots.clear()
	loaded.clear()
	for path: String in asked.written:
		put(asked.back.path_join(path), "res://" + path)
	return {"scenes": scenes, "problems": problems}


# Make a file of the project as another is, or let it go if there is none.
func put(from: String, path: String) -> void:
	var to := ProjectSettings.globalize_path(path)
	if not FileAccess.file_exists(from):
		DirAccess.remove_absolute(to)
		return
	DirAccess.make_dir_recursive_absolute(to.get_base_dir())
	if DirAccess.copy_absolute(from, to) != OK:
		problems.append("%s cannot be put into the project" % path)


func read(path: String) -> void:
	loaded[path] = load(path)
	if loaded[path] == null:
		problems.append("%s does not load" % path)
	elif loaded[path] is PackedScene:
		var root: Node = loaded[path].instantiate()
		if root == null:
			problems.append("%s cannot be instantiated" % path)
		else:
			roots[path] = root


# The nodes that files give a scene, `path|class` each. Those which an engine class makes for itself
# belong to nobody.
func nodes(root: Node) -> PackedStringArray:
	var out: PackedStringArray = []
	var open: Array[Node] = [root]
	while not open.is_empty():
		var node: Node = open.pop_back()
		out.append("%s|%s" % [root.get_path_to(node), node.get_class()])
		var children := node.get_children().filter(func(child): return child.owner != null)
		children.reverse()
		open.append_array(children)
	return out


func connections(state: SceneState) -> PackedStringArray:
	var out: PackedStringArray = []
	for at in state.get_connection_count():
		out.append("%s|%s|%s|%s|%d|%d|%d" % [
			plain(state.get_connection_source(at)),
			state.get_connection_signal(at),
			plain(state.get_connection_target(at)),
			state.get_connection_method(at),
			state.get_connection_flags(at),
			state.get_connection_unbinds(at),
			state.get_connection_binds(at).size(),
		])
	return out


# A value: of a node, of a resource, of the project, or of another settings file.
func judge(row: Dictionary) -> void:
	var place := "%s [%s] %s" % [row.file, row.place, row.key]
	match row.kind:
		"node":
			judge_node(row, place)
		"resource":
			var path: String = row.file + ("::" + row.place if row.place else "")
			var resource: Resource = load(path) if loaded.get(row.file) else null
			if resource == null:
				problems.append("%s: there is no such resource" % place)
			else:
				compare(place, row.text, resource.get(row.key))
		"setting":
			compare(place, row.text, ProjectSettings.get_setting(row.place.path_join(row.key)))
		"config":
			var config := ConfigFile.new()
			config.load(row.file)
			compare(place, row.text, config.get_value(row.place, row.key))


# The scene must hold the value as written, and the node must know what to do with it.
func judge_node(row: Dictionary, place: String) -> void:
	if not roots.has(row.file):
		return
	var node: Node = roots[row.file].get_node_or_null(row.place)
	if node != null and not row.key in node and not takes(node, row.key, str_to_var(row.text)):
		problems.append("%s: a %s has no such property" % [place, node.get_class()])
	var state: SceneState = loaded[row.file].get_state()
	for at in state.get_node_count():
		if plain(state.get_node_path(at)) != row.place:
			continue
		for property in state.get_node_property_count(at):
			if state.get_node_property_name(at, property) == row.key:
				compare(place, row.text, state.get_node_property_value(at, property))
				return
	problems.append("%s: the engine has no such value" % place)


# Older names of properties can be set and not be asked for: something else shows them.
func takes(node: Node, key: String, value: Variant) -> bool:
	var fresh: Node = ClassDB.instantiate(node.get_class())
	var before := stored(fresh)
	fresh.set(key, value)
	var is_changed := stored(fresh) != before
	fresh.free()
	return is_changed


func stored(node: Node) -> String:
	var out := ""
	for property in node.get_property_list():
		if property.usage & PROPERTY_USAGE_STORAGE:
			out += "%s = %s\n" % [property.name, var_to_str(node.get(property.name))]
	return out


func compare(place: String, text: String, value: Variant) -> void:
	var expected: Variant = str_to_var(text)
	# Properties of resources make other numbers of whole ones, and names of texts.
	if typeof(expected) != typeof(value) and expected != null and value != null:
		expected = type_convert(expected, typeof(value))
	if var_to_str(expected) != var_to_str(value):
		problems.append("%s: %s in the file, %s in the engine" % [place, text, var_to_str(value)])


func plain(path: NodePath) -> String:
	return String(path).trim_prefix("./")
