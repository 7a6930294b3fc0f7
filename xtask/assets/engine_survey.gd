# What the engine makes of the scenes and resources of a project, in every detail that an edit could
# change. The first argument names a file with one visit a line, as JSON; an answer a line goes into
# the second, at once, so that a crash costs one visit. A visit may bring files of its own, and may
# ask whether the engine takes something.
extends SceneTree

# Values longer than this are told by their hash.
const LONGEST := 160
# Resources inside of each other; the engine's own nest less deep.
const DEEPEST := 6

# Names of properties by class and script.
var paths_of := {}
var stored_of := {}


# Not `_init`: the project's autoloads have to be there before scripts that name them are read.
func _initialize() -> void:
	# As the editor does: what is missing is left out, and the rest is there.
	ResourceLoader.set_abort_on_missing_resources(false)
	var arguments := OS.get_cmdline_user_args()
	var visits := FileAccess.open(arguments[0], FileAccess.READ)
	var answers := FileAccess.open(arguments[1], FileAccess.WRITE)
	while not visits.eof_reached():
		var line := visits.get_line()
		if line.is_empty():
			continue
		var asked: Dictionary = JSON.parse_string(line)
		var answer := visit(asked)
		# No answer counts as a crash.
		if answer.is_empty():
			continue
		answers.store_line(JSON.stringify(answer))
		answers.flush()
	quit()


func visit(asked: Dictionary) -> Dictionary:
	say("-- visit %d" % asked.number)
	var held := func(path: String) -> bool: return ResourceLoader.has_cached("res://" + path)
	if asked.written.any(held):
		return {"number": int(asked.number), "stale": true}
	for path: String in asked.written:
		if not put(asked.from.path_join(path), "res://" + path):
			return {}
	if asked.has("uid"):
		lead_uid(asked.uid[0], asked.uid[1])
	var scenes := {}
	for path: String in asked.scenes:
		say("-- scene %s" % path)
		scenes[path] = seen(path)
	var answer := {"number": int(asked.number), "scenes": scenes}
	if asked.has("want"):
		say("-- scene want")
		answer.want = wanted(asked.want)
	if asked.has("try"):
		say("-- scene try")
		answer.try = tried(asked.try)
	if asked.has("facts"):
		answer.classes = classes()
		answer.scripts = scripts(asked.facts)
	if asked.has("findings"):
		answer.findings = asked.findings.map(holds)
	say("-- scene ")
	for path: String in asked.written:
		put(asked.back.path_join(path), "res://" + path)
	if asked.has("uid"):
		lead_uid(asked.uid[0], asked.uid[2])
	return answer


# What the editor does when it finds a file elsewhere.
func lead_uid(uid: String, path: String) -> void:
	var id := ResourceUID.text_to_id(uid)
	if ResourceUID.has_id(id):
		ResourceUID.set_id(id, path)
	else:
		ResourceUID.add_id(id, path)


# What goes wrong is told on both streams, below these lines.
func say(line: String) -> void:
	print(line)
	printerr(line)


# Make a file of the project as another is, or let it go if there is none. False when that failed.
func put(from: String, path: String) -> bool:
	var to := ProjectSettings.globalize_path(path)
	if not FileAccess.file_exists(from):
		return not FileAccess.file_exists(to) or DirAccess.remove_absolute(to) == OK
	DirAccess.make_dir_recursive_absolute(to.get_base_dir())
	return DirAccess.copy_absolute(from, to) == OK


func seen(path: String) -> Dictionary:
	var loaded: Resource = fresh(path)
	if loaded == null:
		return {"loads": false}
	if not loaded is PackedScene:
		return {"loads": true, "resource": object(loaded, 0, true)}
	var out := {"loads": true, "state": states(loaded.get_state())}
	var base: SceneState = loaded.get_state().get_base_scene_state()
	if base != null:
		out.base = base.get_path()
	var root: Node = loaded.instantiate()
	if root == null:
		out.loads = false
		return out
	out.name = root.name
	out.nodes = nodes(root)
	out.connections = connections(root)
	root.free()
	return out


# Its own text is read anew; what it needs is read again unless something holds it.
func fresh(path: String) -> Resource:
	return ResourceLoader.load(path, "", ResourceLoader.CACHE_MODE_IGNORE)


# The sections of a scene's file.
func states(state: SceneState) -> Array:
	var out := []
	for at in state.get_node_count():
		var properties := {}
		for number in state.get_node_property_count(at):
			var value: Variant = state.get_node_property_value(at, number)
			properties[state.get_node_property_name(at, number)] = text(value, 0)
		var instance: PackedScene = state.get_node_instance(at)
		out.append({
			"path": plain(state.get_node_path(at)),
			"class": state.get_node_type(at),
			"instance": instance.resource_path if instance else "",
			"groups": Array(state.get_node_groups(at)),
			"properties": properties,
		})
	return out


# The nodes that come of it, with all that leads from one to another.
func nodes(root: Node) -> Array:
	var out := []
	var open: Array[Node] = [root]
	while not open.is_empty():
		var node: Node = open.pop_back()
		var script: Script = node.get_script()
		var groups := node.get_groups().map(func(group): return String(group))
		# Classes of the engine join groups of their own.
		groups = groups.filter(func(group): return not group.begins_with("_"))
		groups.sort()
		out.append({
			"path": String(root.get_path_to(node)),
			"class": node.get_class(),
			"script": script.resource_path if script else "",
			"scene": node.scene_file_path,
			"groups": groups,
			"refs": references(node, root),
		})
		# Those which scripts and classes make for themselves belong to nobody.
		var children := node.get_children().filter(func(child): return child.owner != null)
		children.reverse()
		open.append_array(children)
	return out


# Where every path of a node leads: a path from the root, or `!` for nowhere.
func references(node: Node, root: Node) -> Dictionary:
	var out := {}
	for key: String in path_properties(node):
		# Up to 4.5 every mesh has a path to its parent, which means nothing unless that has bones.
		if key == "skeleton" and node is MeshInstance3D:
			if not node.get_node_or_null(node.skeleton) is Skeleton3D:
				continue
		lead(out, key, node.get(key), node, root)
	if node is AnimationMixer:
		tracks(out, node, root)
	if node is MultiplayerSynchronizer and node.replication_config != null:
		var above: Node = node.get_node_or_null(node.root_path)
		for path: NodePath in node.replication_config.get_properties():
			lead(out, "replicated %d" % out.size(), path, above, root)
	return out


func lead(out: Dictionary, key: String, value: Variant, from: Node, root: Node) -> void:
	match typeof(value):
		TYPE_NODE_PATH:
			if value.is_empty() or value.is_absolute():
				return
			var names := NodePath(value.get_concatenated_names())
			var found: Node = from.get_node_or_null(names) if from else null
			out[key] = place(found, root) + subnames(value)
		TYPE_OBJECT:
			if is_instance_valid(value) and value is Node:
				out[key] = place(value, root)
		TYPE_ARRAY:
			for at in mini(value.size(), 64):
				lead(out, "%s[%d]" % [key, at], value[at], from, root)


func tracks(out: Dictionary, mixer: AnimationMixer, root: Node) -> void:
	var above: Node = mixer.get_node_or_null(mixer.root_node)
	for animation_name in mixer.get_animation_list():
		var animation := mixer.get_animation(animation_name)
		for at in animation.get_track_count():
			lead(out, "track %s %d" % [animation_name, at], animation.track_get_path(at), above, root)


func place(node: Node, root: Node) -> String:
	if node == null or not (node == root or root.is_ancestor_of(node)):
		return "!"
	return String(root.get_path_to(node)) if node == root or node.owner else "?"


func subnames(path: NodePath) -> String:
	var names := path.get_concatenated_subnames()
	return ":" + names if names else ""


func path_properties(node: Node) -> Array:
	var script: Script = node.get_script()
	var kind := [node.get_class(), script.resource_path if script else ""]
	if not paths_of.has(kind):
		var types := [TYPE_NODE_PATH, TYPE_OBJECT, TYPE_ARRAY]
		var leads := func(property): return (
			property.type in types
			and property.usage & (PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_SCRIPT_VARIABLE)
			and property.name != "owner"
			and property.name != "script"
		)
		var found := node.get_property_list().filter(leads)
		paths_of[kind] = found.map(func(property): return property.name)
	return paths_of[kind]


func connections(root: Node) -> Array:
	var out := []
	var open: Array[Node] = [root]
	while not open.is_empty():
		var node: Node = open.pop_back()
		open.append_array(node.get_children())
		for connection in node.get_incoming_connections():
			var from: Object = connection.signal.get_object()
			if not connection.flags & CONNECT_PERSIST or not from is Node:
				continue
			var method: StringName = connection.callable.get_method()
			out.append({
				"from": place(from, root),
				"to": place(node, root),
				"rest": "%s|%s|%d|%s" % [
					connection.signal.get_name(), method, connection.flags, node.has_method(method),
				],
			})
	return out


# A value as text, the same for the same content. Paths of nodes are left out: where they lead is
# told by the nodes.
func text(value: Variant, depth: int) -> String:
	var type := typeof(value)
	if type == TYPE_NODE_PATH:
		return "NodePath"
	if type == TYPE_OBJECT:
		return object(value, depth)
	if type >= TYPE_PACKED_BYTE_ARRAY and value.size() > 16:
		return "%s#%d#%d" % [type_string(type), value.size(), hash(value)]
	if type == TYPE_ARRAY:
		return shorter("[%s]" % ", ".join(value.map(func(item): return text(item, depth + 1))))
	if type == TYPE_DICTIONARY:
		var items := []
		for key in value:
			items.append("%s: %s" % [text(key, depth + 1), text(value[key], depth + 1)])
		return shorter("{%s}" % ", ".join(items))
	return shorter(var_to_str(value))


func object(value: Object, depth: int, is_file := false) -> String:
	if value == null or not value is Resource:
		return "null"
	var path: String = value.resource_path
	if path and not "::" in path and not is_file:
		return path
	# What stands for a file that is not there; which properties it has is said once for all of them.
	if value.has_meta("__load_path__"):
		return "missing " + value.get_meta("__load_path__")
	if depth > DEEPEST:
		return value.get_class()
	var script: Script = value.get_script()
	var kind := [value.get_class(), script.resource_path if script else ""]
	if not stored_of.has(kind) or value is Animation or value is TileSet:
		var is_stored := func(property): return property.usage & PROPERTY_USAGE_STORAGE
		var found := value.get_property_list().filter(is_stored)
		stored_of[kind] = found.map(func(property): return property.name)
	var items := [value.get_class()]
	for key: String in stored_of[kind]:
		items.append("%s=%s" % [key, text(value.get(key), depth + 1)])
	var out := " ".join(items)
	return out if is_file else shorter(out)


func shorter(out: String) -> String:
	return out if out.length() <= LONGEST else "%s…#%s" % [out.left(60), out.md5_text()]


# Whether a node has a value after its scene was read.
func wanted(want: Dictionary) -> Dictionary:
	var loaded: Resource = fresh(want.scene)
	if want.node == null:
		return {"got": shown(loaded.get(want.key)), "is": same(loaded.get(want.key), want.text)}
	var root: Node = loaded.instantiate() if loaded is PackedScene else null
	var node: Node = root.get_node_or_null(NodePath(want.node)) if root else null
	if node == null:
		return {"got": "no such node", "is": false}
	var got: Variant = node.get(want.key)
	var answer := {"got": shown(got), "is": same(got, want.text), "class": node.get_class()}
	if got is NodePath:
		answer.is = got == str_to_var(want.text)
	root.free()
	return answer


func shown(value: Variant) -> String:
	if value is Resource:
		return value.resource_path
	return var_to_str(value).left(LONGEST)


func same(got: Variant, expected_text: String) -> bool:
	if got is Resource:
		return got.resource_path == expected_text
	var expected: Variant = str_to_var(expected_text)
	if typeof(expected) != typeof(got) and got != null:
		expected = type_convert(expected, typeof(got))
	if got is float:
		return is_equal_approx(got, expected) or absf(got - expected) < 0.0001
	if got is Vector2 or got is Vector3 or got is Color or got is Rect2 or got is Vector4:
		return got.is_equal_approx(expected)
	return var_to_str(got) == var_to_str(expected)


# Whether the engine takes something that was refused.
func tried(ask: Dictionary) -> bool:
	var loaded: Resource = fresh(ask.scene)
	var root: Node = loaded.instantiate() if loaded is PackedScene else null
	var node: Node = root.get_node_or_null(NodePath(ask.node)) if root else null
	if ask.has("class"):
		node = ClassDB.instantiate(ask.class) if ClassDB.can_instantiate(ask.class) else null
	if node == null:
		return false
	var is_taken := false
	match ask.what:
		"set":
			node.set(ask.key, ask.text if ask.text.begins_with("res://") else str_to_var(ask.text))
			if ask.text.begins_with("res://"):
				node.set(ask.key, load(ask.text))
			is_taken = ask.key in node and same(node.get(ask.key), ask.text)
		"script":
			var script: Script = load(ask.text)
			node.set_script(script)
			is_taken = script != null and node.get_script() == script
		"signal":
			is_taken = node.has_signal(ask.text)
	if root:
		root.free()
	if ask.has("class"):
		node.free()
	return is_taken


# What every class of a node has, for those who make up edits.
func classes() -> Dictionary:
	var out := {}
	for name in ClassDB.get_inheriters_from_class("Node"):
		if not ClassDB.can_instantiate(name) or ClassDB.class_get_api_type(name) != ClassDB.API_CORE:
			continue
		var both := PROPERTY_USAGE_STORAGE | PROPERTY_USAGE_EDITOR
		var is_edited := func(property): return (property.usage & both) == both
		out[name] = {
			"properties": ClassDB.class_get_property_list(name).filter(is_edited).map(property_of),
			"signals": ClassDB.class_get_signal_list(name).map(func(it): return it.name),
		}
	return out


func scripts(asked: Array) -> Dictionary:
	var out := {}
	for path: String in asked:
		var script := load(path) as Script
		if script == null:
			continue
		var is_edited := func(property): return (
			property.usage & PROPERTY_USAGE_SCRIPT_VARIABLE and property.usage & PROPERTY_USAGE_EDITOR
		)
		out[path] = {
			"properties": script.get_script_property_list().filter(is_edited).map(property_of),
			"methods": script.get_script_method_list().map(func(it): return it.name),
			"signals": script.get_script_signal_list().map(func(it): return it.name),
		}
	return out


func property_of(property: Dictionary) -> Dictionary:
	return {
		"name": property.name,
		"type": property.type,
		"hint": property.hint,
		"hint_string": property.hint_string,
	}


# Whether something that a check says is so: `null` where the engine does not know.
func holds(finding: Dictionary) -> Variant:
	var words := quoted(finding.message)
	var first: String = words[0] if words else ""
	match finding.rule:
		"godot-missing-resource", "godot-missing-preload", "godot-missing-load", "godot-missing-start-file":
			return not is_there(first)
		"godot-orphan-import", "godot-orphan-uid":
			return not FileAccess.file_exists("res://" + first.trim_prefix("res://"))
		"godot-unknown-class":
			return not ClassDB.class_exists(first)
		"godot-unknown-base":
			var script := load("res://" + finding.file) as Script
			return script == null or not script.can_instantiate()
	var path: String = "res://" + finding.file
	if not path.ends_with(".tscn"):
		return null
	var loaded := fresh(path) as PackedScene
	if loaded == null:
		return null
	var root: Node = loaded.instantiate()
	if root == null:
		return null
	var node: Node = root.get_node_or_null(NodePath(finding.object)) if finding.object else null
	var answer: Variant = node_holds(finding, words, root, node)
	root.free()
	return answer


func node_holds(finding: Dictionary, words: Array, root: Node, node: Node) -> Variant:
	match finding.rule:
		"godot-broken-connection", "godot-lost-override":
			return node == null
		"godot-missing-method":
			return node != null and not node.has_method(words[0])
		"godot-unknown-signal":
			return node != null and not node.has_signal(words[0])
		"godot-unknown-property":
			return not words[0] in node if node else null
		"godot-broken-node-path":
			if finding.message.begins_with("a track"):
				return not is_any_track_found(root, NodePath(words[0]))
			if node and not finding.message.begins_with("the editable"):
				return node.get_node_or_null(NodePath(words[1])) == null
	return null


# Whether some player of the scene finds what a track moves.
func is_any_track_found(root: Node, path: NodePath) -> bool:
	var names := NodePath(path.get_concatenated_names())
	for player: AnimationMixer in root.find_children("*", "AnimationMixer", true, false):
		var above: Node = player.get_node_or_null(player.root_node)
		for animation in player.get_animation_list():
			var found := player.get_animation(animation)
			for at in found.get_track_count():
				if found.track_get_path(at) == path and above and above.get_node_or_null(names):
					return true
	return false


func is_there(path: String) -> bool:
	if path.begins_with("uid://"):
		return ResourceUID.has_id(ResourceUID.text_to_id(path))
	# An `.import` whose source is gone tells of a resource that nothing can be made of.
	return FileAccess.file_exists(path) or ResourceLoader.exists(path) and load(path) != null


# What stands between backquotes.
func quoted(message: String) -> Array:
	var parts := Array(message.split("`"))
	var out := []
	for at in range(1, parts.size(), 2):
		out.append(parts[at])
	return out


func plain(path: NodePath) -> String:
	return String(path).trim_prefix("./")
