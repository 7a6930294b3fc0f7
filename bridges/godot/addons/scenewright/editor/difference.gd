@tool
extends RefCounted
## What makes one tree of nodes another, as steps of the editor's history on a third one that is like
## the first: the scene that is open.

const MAX_DEPTH := 8
## The editor marks the connections that come from an instance or a base scene so.
const INHERITED := 32

var _manager: EditorUndoRedoManager
var _root: Node
var _before: Node
var _after: Node
## The node of the open scene that a node of the other two is.
var _twins := {}
var _count := 0


func _init(manager: EditorUndoRedoManager, root: Node, before: Node, after: Node) -> void:
	_manager = manager
	_root = root
	_before = before
	_after = after


## Writes the steps and tells how many there are.
func write() -> int:
	var pairs: Array[Array] = []
	var added: Array[Node] = []
	_pair(_before, _after, _root, pairs, added)
	# What is new leaves its tree below, so all that is asked of that tree is asked first.
	for node in added:
		_note(node)
	var orders: Array[Array] = []
	for pair in pairs:
		if _names(pair[0]) != _names(pair[1]):
			orders.append([pair[2], _twins_of(pair[0]), _twins_of(pair[1])])
	var links: Array[Array] = []
	for pair in pairs:
		links.append([pair[2], _lasting(pair[0], _before, _twins), _lasting(pair[1], _after, _twins)])
	for pair in pairs:
		_properties(pair[0], pair[1], pair[2])
		_groups(pair[0], pair[1], pair[2])
	for node in added:
		_add(node)
	for link in links:
		_connections(link[0], link[1], link[2])
	for order in orders:
		_order(order[0], order[1], order[2])
	return _count


## How one tree differs from another, in words; nothing when it does not.
static func compare(a: Node, b: Node) -> PackedStringArray:
	var said := PackedStringArray()
	_compare(a, b, a, b, said)
	return said


static func _compare(a: Node, b: Node, a_root: Node, b_root: Node, said: PackedStringArray) -> void:
	var path := str(b_root.get_path_to(b))
	if a.get_class() != b.get_class() or a.name != b.name:
		said.append("%s is %s (%s)" % [path, a.name, a.get_class()])
		return
	for name in _stored(b):
		if not same(a.get(name), b.get(name), a_root, b_root):
			said.append("%s.%s" % [path, name])
	if _lasting_groups(a) != _lasting_groups(b):
		said.append("the groups of %s" % path)
	var mine_kept := _lasting(a, a_root, {})
	var yours_kept := _lasting(b, b_root, {})
	if mine_kept.size() != yours_kept.size() or not mine_kept.has_all(yours_kept.keys()):
		said.append("the connections of %s" % path)
	var mine := _names(a)
	var yours := _names(b)
	if mine != yours:
		said.append("the children of %s: %s" % [path, mine])
		return
	for child in b.get_children():
		_compare(a.get_node(NodePath(child.name)), child, a_root, b_root, said)


## Which node is which: by name, then a new name in the place of one that is gone.
func _pair(before: Node, after: Node, live: Node, pairs: Array[Array], added: Array[Node]) -> void:
	pairs.append([before, after, live])
	_twins[before] = live
	_twins[after] = live
	if before.name != after.name:
		_method(live, "set_name", [after.name], [live.name])
	var gone: Array[Node] = []
	for child in before.get_children():
		if not after.has_node(NodePath(child.name)):
			gone.append(child)
	for child in after.get_children():
		var was := before.get_node_or_null(NodePath(child.name))
		if was == null:
			for other in gone:
				if other.get_index() == child.get_index() and other.get_class() == child.get_class() and other.scene_file_path == child.scene_file_path:
					was = other
					break
			gone.erase(was)
		elif was.get_class() != child.get_class() or was.scene_file_path != child.scene_file_path:
			gone.append(was)
			was = null
		if was == null:
			added.append(child)
		else:
			_pair(was, child, live.get_node(NodePath(was.name)), pairs, added)
	for child in gone:
		_twins[child] = live.get_node(NodePath(child.name))
		_remove(_twins[child])


func _remove(node: Node) -> void:
	var parent := node.get_parent()
	_count += 1
	_manager.add_do_method(parent, &"remove_child", node)
	_manager.add_undo_method(parent, &"add_child", node, true)
	_manager.add_undo_method(parent, &"move_child", node, node.get_index())
	for owned in _owned(node, _root):
		_manager.add_undo_method(owned, &"set_owner", _root)
	_manager.add_undo_reference(node)


func _note(node: Node) -> void:
	_twins[node] = node
	for child in node.get_children():
		_note(child)


func _twins_of(node: Node) -> Array[Node]:
	var found: Array[Node] = []
	for child in node.get_children():
		if _twins.has(child):
			found.append(_twins[child])
	return found


func _add(node: Node) -> void:
	var parent: Node = _twins[node.get_parent()]
	var owned := _owned(node, _after)
	var editable: Array[Node] = []
	for one in owned:
		if one.scene_file_path != "" and _after.is_editable_instance(one):
			editable.append(one)
	var links: Array[Dictionary] = []
	for one: Node in [node] + node.find_children("*", "", true, false):
		var lasting := _lasting(one, _after, _twins)
		for key: String in lasting:
			var to: Node = lasting[key]["to"]
			# What is between nodes that come together is there already.
			if to != node and not node.is_ancestor_of(to):
				links.append(lasting[key].merged({"from": one}))
		for name in _references(one):
			one.set(name, _there(one.get(name)))
	node.get_parent().remove_child(node)
	_count += 1
	_manager.add_do_method(parent, &"add_child", node, true)
	for one in owned:
		_manager.add_do_method(one, &"set_owner", _root)
	for one in editable:
		_manager.add_do_method(_root, &"set_editable_instance", one, true)
	for link in links:
		var callable := _callable(link)
		_manager.add_do_method(link["from"], &"connect", link["signal"], callable, link["flags"])
		_manager.add_undo_method(link["from"], &"disconnect", link["signal"], callable)
	_manager.add_undo_method(parent, &"remove_child", node)
	_manager.add_do_reference(node)


func _properties(before: Node, after: Node, live: Node) -> void:
	var names := _stored(after)
	# What a script exports is there once the script is.
	if names.has("script"):
		names.remove_at(names.find("script"))
		names.insert(0, "script")
	for name in names:
		if not same(before.get(name), after.get(name), _before, _after) or _is_new(after.get(name)):
			_count += 1
			_manager.add_do_property(live, StringName(name), _there(after.get(name)))
			_manager.add_undo_property(live, StringName(name), live.get(name))


func _groups(before: Node, after: Node, live: Node) -> void:
	var old := _lasting_groups(before)
	var new := _lasting_groups(after)
	for group in new:
		if not group in old:
			_method(live, "add_to_group", [group, true], [])
			_manager.add_undo_method(live, &"remove_from_group", group)
	for group in old:
		if not group in new:
			_method(live, "remove_from_group", [group], [])
			_manager.add_undo_method(live, &"add_to_group", group, true)


func _connections(live: Node, old: Dictionary, new: Dictionary) -> void:
	for key: String in old:
		if new.has(key):
			continue
		for connection: Dictionary in live.get_signal_connection_list(old[key]["signal"]):
			var callable: Callable = connection["callable"]
			if callable.get_object() == _twins.get(old[key]["to"]) and callable.get_method() == old[key]["method"]:
				_count += 1
				_manager.add_do_method(live, &"disconnect", old[key]["signal"], callable)
				_manager.add_undo_method(live, &"connect", old[key]["signal"], callable, connection["flags"])
				break
	for key: String in new:
		if not old.has(key):
			_count += 1
			var callable := _callable(new[key])
			_manager.add_do_method(live, &"connect", new[key]["signal"], callable, new[key]["flags"])
			_manager.add_undo_method(live, &"disconnect", new[key]["signal"], callable)


func _order(live: Node, old: Array[Node], new: Array[Node]) -> void:
	for at in new.size():
		_manager.add_do_method(live, &"move_child", new[at], at)
	for at in old.size():
		_manager.add_undo_method(live, &"move_child", old[at], at)


func _method(live: Node, method: String, arguments: Array, back: Array) -> void:
	_count += 1
	_manager.callv("add_do_method", [live, StringName(method)] + arguments)
	if not back.is_empty():
		_manager.callv("add_undo_method", [live, StringName(method)] + back)


func _callable(link: Dictionary) -> Callable:
	var callable := Callable(_there(link["to"]), link["method"])
	return callable.bindv(link["binds"]) if not link["binds"].is_empty() else callable


## A value of the scene as it is to be, as one of the open scene.
func _there(value: Variant) -> Variant:
	if value is Node:
		return _twins.get(value, value)
	if value is Array:
		var items: Array = value.duplicate()
		for at in items.size():
			items[at] = _there(items[at])
		return items
	return value


## Whether a value is a node that comes with this change, or a list with one.
func _is_new(value: Variant) -> bool:
	if value is Array:
		return value.any(_is_new)
	return value is Node and _twins.get(value) == value


static func _references(node: Node) -> PackedStringArray:
	var names := PackedStringArray()
	for name in _stored(node):
		var value: Variant = node.get(name)
		if value is Node or value is Array and value.any(func(item: Variant) -> bool: return item is Node):
			names.append(name)
	return names


static func _owned(node: Node, root: Node) -> Array[Node]:
	var found: Array[Node] = []
	for one: Node in [node] + node.find_children("*", "", true, false):
		if one.owner == root:
			found.append(one)
	return found


static func _stored(node: Object) -> PackedStringArray:
	var names := PackedStringArray()
	for property: Dictionary in node.get_property_list():
		if property["usage"] & PROPERTY_USAGE_STORAGE != 0:
			names.append(property["name"])
	return names


static func _names(node: Node) -> PackedStringArray:
	var names := PackedStringArray()
	for child in node.get_children():
		names.append(child.name)
	return names


static func _lasting_groups(node: Node) -> PackedStringArray:
	var groups := PackedStringArray()
	for group: StringName in node.get_groups():
		if node.call("is_in_group", group) and not String(group).begins_with("_"):
			groups.append(group)
	groups.sort()
	return groups


## The connections that the scene keeps itself, by what they are; those of instances are theirs. Whose
## they go to is told by the twin where there is one, for a node may get another name.
static func _lasting(node: Node, root: Node, twins: Dictionary) -> Dictionary:
	var found := {}
	for one: Dictionary in node.get_signal_list():
		for connection: Dictionary in node.get_signal_connection_list(one["name"]):
			var callable: Callable = connection["callable"]
			var to := callable.get_object() as Node
			var flags: int = connection["flags"]
			if flags & CONNECT_PERSIST == 0 or flags & INHERITED != 0 or to == null:
				continue
			if to != root and not root.is_ancestor_of(to):
				continue
			var whose := str(twins[to].get_instance_id()) if twins.has(to) else str(root.get_path_to(to))
			var link := {
				"signal": one["name"], "to": to, "method": callable.get_method(), "flags": flags,
				"binds": callable.get_bound_arguments(),
			}
			found["%s>%s.%s:%d:%s" % [one["name"], whose, link["method"], flags, link["binds"]]] = link
	return found


## Whether two values are the same, nodes by where they are and inner resources by what they hold.
static func same(a: Variant, b: Variant, a_root: Node, b_root: Node, depth := 0) -> bool:
	if typeof(a) != typeof(b):
		return false
	if a is Node and b is Node:
		return a_root.get_path_to(a) == b_root.get_path_to(b)
	if a is Resource and b is Resource:
		if a == b:
			return true
		var is_file: bool = b.resource_path != "" and not b.resource_path.contains("::")
		if is_file or depth > MAX_DEPTH or a.get_class() != b.get_class():
			return a.resource_path == b.resource_path and is_file
		for name in _stored(b):
			if name != "resource_path" and name != "resource_scene_unique_id" and not same(a.get(name), b.get(name), a_root, b_root, depth + 1):
				return false
		return true
	if a is Array:
		if a.size() != b.size():
			return false
		for at in a.size():
			if not same(a[at], b[at], a_root, b_root, depth + 1):
				return false
		return true
	if a is Dictionary:
		if a.keys() != b.keys():
			return false
		for key: Variant in a:
			if not same(a[key], b[key], a_root, b_root, depth + 1):
				return false
		return true
	return is_same(a, b) or a == b
