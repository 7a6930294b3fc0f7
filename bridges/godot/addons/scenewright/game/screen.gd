extends RefCounted
## What is on the screen: pictures, and the user interface as texts with rectangles.

const Server := preload("../link/server.gd")
const Values := preload("../link/values.gd")
const Places := preload("places.gd")

const MAX_TEXTS := 500

var _link: Node


func _init(link: Node) -> void:
	_link = link


## Every control that shows a text or can be used, in the order of the tree.
func texts(params: Dictionary) -> Dictionary:
	var all := controls(params.get("all", false))
	var said: Array = []
	for control in all:
		if said.size() == MAX_TEXTS:
			break
		said.append(tell(control))
	return {"result": {"controls": said, "total": all.size(), "size": Values.say(Vector2(_link.get_tree().root.size))}}


func picture(params: Dictionary) -> Dictionary:
	if DisplayServer.get_name() == "headless":
		return Server.failed("this game has no window, and without one Godot draws nothing; run it with headless: false")
	var viewport: Viewport = _link.get_viewport()
	var part := Rect2i()
	if params.get("path", "") != "":
		var found: Dictionary = Places.find(_link, params, "")
		if found.has("error"):
			return found
		viewport = (found["node"] as Node).get_viewport()
		part = _place(found["node"], viewport)
		if not part.has_area():
			return Server.failed("%s takes no place on the screen now" % params["path"])
	# A game may draw only what changed; the next picture would never come by itself then.
	await _link.get_tree().process_frame
	RenderingServer.force_draw(false)
	return Values.picture(viewport.get_texture().get_image(), part, int(params.get("most", 1280)))


## The visible controls that have a text or take a click; all visible ones when asked.
func controls(is_all: bool) -> Array[Control]:
	var found: Array[Control] = []
	for node: Node in _link.get_tree().root.find_children("*", "Control", true, false):
		var control := node as Control
		if control.is_visible_in_tree() and (is_all or text_of(control) != "" or control is BaseButton or control is Range or control is LineEdit or control is TextEdit):
			found.append(control)
	return found


func tell(control: Control) -> Dictionary:
	var said := {"path": str(control.get_path()), "class": control.get_class(), "text": text_of(control), "rect": _corners(rect(control))}
	if control.get("disabled") == true or control.get("editable") == false:
		said["isDisabled"] = true
	if control is BaseButton and control.toggle_mode:
		said["isPressed"] = control.button_pressed
	if control is Range:
		said["value"] = control.value
	if control.has_focus():
		said["hasFocus"] = true
	return said


static func text_of(control: Control) -> String:
	if control is RichTextLabel:
		return control.get_parsed_text()
	if control is OptionButton:
		return control.get_item_text(control.selected) if control.selected >= 0 else ""
	if control is LineEdit and control.text == "":
		return control.placeholder_text
	var text: Variant = control.get("text")
	return control.tr(text) if text is String else ""


## Where a control is in its viewport.
static func rect(control: Control) -> Rect2:
	var place := control.get_global_transform_with_canvas()
	return place * Rect2(Vector2.ZERO, control.size)


static func _corners(place: Rect2) -> Array:
	return [roundf(place.position.x), roundf(place.position.y), roundf(place.size.x), roundf(place.size.y)]


func _place(node: Node, viewport: Viewport) -> Rect2i:
	var place := Rect2()
	if node is Control:
		place = rect(node)
	elif node is CanvasItem:
		var local := Rect2(-32, -32, 64, 64)
		if node.has_method("get_rect"):
			local = node.call("get_rect")
		place = (node as CanvasItem).get_global_transform_with_canvas() * local
	elif node is VisualInstance3D:
		place = _seen(node, viewport.get_camera_3d())
	# The picture has the pixels of the window, controls have those of the canvas.
	var stretch := viewport.get_stretch_transform() if viewport.has_method("get_stretch_transform") else Transform2D()
	var whole := Rect2(Vector2.ZERO, Vector2(viewport.get_texture().get_size()))
	return Rect2i((stretch * place).intersection(whole))


static func _seen(node: VisualInstance3D, camera: Camera3D) -> Rect2:
	if camera == null:
		return Rect2()
	var box := node.get_aabb()
	var place := Rect2()
	for corner in 8:
		var point := node.global_transform * box.get_endpoint(corner)
		if camera.is_position_behind(point):
			continue
		var at := camera.unproject_position(point)
		place = Rect2(at, Vector2.ZERO) if place == Rect2() else place.expand(at)
	return place
