extends RefCounted
## Input as a player would give it.

const Server := preload("../link/server.gd")
const Screen := preload("screen.gd")
const Places := preload("places.gd")

const MAX_EVENTS := 200
const MAX_FRAMES := 600

var _link: Node
var _screen: Screen


func _init(link: Node, screen: Screen) -> void:
	_link = link
	_screen = screen


## Events one after the other, each in a frame of its own.
func input(params: Dictionary) -> Dictionary:
	var wanted: Array = params.get("events", [])
	if wanted.size() > MAX_EVENTS:
		return Server.failed("more than %d events" % MAX_EVENTS, Server.BAD_PARAMS)
	# Nothing is begun that is not understood to its end.
	var steps: Array[Array] = []
	for one: Dictionary in wanted:
		var made := _events(one)
		if made.has("error"):
			return made
		steps.append(made["events"])
	var count := 0
	for at in steps.size():
		for event: InputEvent in steps[at]:
			Input.parse_input_event(event)
			Input.flush_buffered_events()
			count += 1
			await _link.get_tree().process_frame
		for _frame in clampi(int(wanted[at].get("frames", 0)), 0, MAX_FRAMES):
			await _link.get_tree().physics_frame
		var release: InputEvent = wanted[at].get("release")
		if release != null:
			Input.parse_input_event(release)
			Input.flush_buffered_events()
			await _link.get_tree().process_frame
	return {"result": {"events": count, "frame": Engine.get_process_frames()}}


## Clicks a control that is named by its text or path, and tells whether it came there.
func click(params: Dictionary) -> Dictionary:
	var found := _control(params)
	if found.has("error"):
		return found
	var control: Control = found["control"]
	var path := str(control.get_path())
	if control.get("disabled") == true:
		return Server.failed("%s is disabled" % path)
	var heard := {"pressed": 0, "input": 0}
	var on_input := func(event: InputEvent) -> void:
		if event is InputEventMouseButton:
			heard["input"] += 1
	var on_press := func() -> void: heard["pressed"] += 1
	control.gui_input.connect(on_input)
	if control is BaseButton:
		control.pressed.connect(on_press)
	var at := Screen.rect(control).get_center()
	await _press(control.get_viewport(), at, params.get("button", "left"), params.get("double", false))
	var is_there := is_instance_valid(control)
	if is_there:
		control.gui_input.disconnect(on_input)
		if control is BaseButton:
			control.pressed.disconnect(on_press)
	var has_come: bool = heard["pressed"] > 0 or heard["input"] > 0 or not is_there
	if not has_come:
		return Server.failed("the click at (%d, %d) did not come to %s: %s" % [at.x, at.y, path, _covering(control, at)])
	return {"result": {"path": path, "at": [at.x, at.y], "isPressed": heard["pressed"] > 0, "isGone": not is_there}}


func _press(viewport: Viewport, at: Vector2, button: String, is_double: bool) -> void:
	var motion := InputEventMouseMotion.new()
	motion.position = at
	motion.global_position = at
	viewport.push_input(motion, true)
	await _link.get_tree().process_frame
	for is_down: bool in [true, false]:
		var event := InputEventMouseButton.new()
		event.button_index = _button(button)
		event.position = at
		event.global_position = at
		event.pressed = is_down
		event.double_click = is_double and is_down
		event.button_mask = (1 << (event.button_index - 1)) as MouseButtonMask if is_down else 0 as MouseButtonMask
		if not is_instance_valid(viewport):
			return
		viewport.push_input(event, true)
		await _link.get_tree().process_frame


func _control(params: Dictionary) -> Dictionary:
	var text: String = params.get("text", "")
	if text == "":
		var node: Node = Places.find(_link, params, "").get("node")
		if not node is Control:
			return Server.failed("there is no control '%s'" % params.get("path", ""), Server.BAD_PARAMS, {"known": _known()})
		if not (node as Control).is_visible_in_tree():
			return Server.failed("%s is not visible" % node.get_path())
		return {"control": node}
	var exact: Array[Control] = []
	var near: Array[Control] = []
	for control in _screen.controls(false):
		var own := Screen.text_of(control)
		if own.strip_edges().to_lower() == text.strip_edges().to_lower():
			exact.append(control)
		elif own.containsn(text):
			near.append(control)
	var found := exact if not exact.is_empty() else near
	# Of a button and a label with its text, the button is meant.
	var buttons := found.filter(func(control: Control) -> bool: return control is BaseButton)
	if buttons.size() == 1:
		return {"control": buttons[0]}
	if found.is_empty():
		return Server.failed("nothing on the screen says '%s'" % text, Server.BAD_PARAMS, {"known": _known()})
	if found.size() > 1:
		var paths := found.map(func(control: Control) -> String: return str(control.get_path()))
		return Server.failed("%d controls say '%s'; give the path of one" % [found.size(), text], Server.BAD_PARAMS, {"known": paths})
	return {"control": found[0]}


func _known() -> Array:
	var said: Array = []
	for control in _screen.controls(false).slice(0, 30):
		said.append("%s \"%s\"" % [control.get_path(), Screen.text_of(control).left(60)])
	return said


## What lies above a point, as far as it can be told.
func _covering(control: Control, at: Vector2) -> String:
	var viewport := control.get_viewport()
	if not viewport.get_visible_rect().has_point(at):
		return "it is outside of the screen"
	if viewport.has_method("gui_get_hovered_control"):
		var over: Control = viewport.call("gui_get_hovered_control")
		if over != null and over != control:
			return "%s is above it" % over.get_path()
	return "something is above it, or it takes no mouse"


## The events of one wish, and what undoes it after its frames.
func _events(one: Dictionary) -> Dictionary:
	if one.has("action"):
		return _action(one)
	if one.has("key"):
		return _key(one)
	if one.has("text"):
		return _text(one["text"])
	if one.has("mouse"):
		return _mouse(one)
	if one.has("touch"):
		return _touch(one)
	return Server.failed("an event is one of action, key, text, mouse, touch: %s" % JSON.stringify(one), Server.BAD_PARAMS)


func _action(one: Dictionary) -> Dictionary:
	var name: String = one["action"]
	if not InputMap.has_action(name):
		return Server.failed("there is no action '%s'" % name, Server.BAD_PARAMS, {"known": InputMap.get_actions().filter(func(known: StringName) -> bool: return not String(known).begins_with("ui_"))})
	var event := InputEventAction.new()
	event.action = name
	event.strength = float(one.get("strength", 1.0))
	return _both(one, event)


func _key(one: Dictionary) -> Dictionary:
	var code := OS.find_keycode_from_string(one["key"])
	if code == KEY_NONE:
		return Server.failed("there is no key '%s'; names are such as A, Space, Enter, Escape, Up, F1, Ctrl+S" % one["key"], Server.BAD_PARAMS)
	var event := InputEventKey.new()
	event.keycode = (code & KEY_CODE_MASK) as Key
	event.physical_keycode = event.keycode
	event.shift_pressed = code & KEY_MASK_SHIFT != 0
	event.ctrl_pressed = code & KEY_MASK_CTRL != 0
	event.alt_pressed = code & KEY_MASK_ALT != 0
	event.meta_pressed = code & KEY_MASK_META != 0
	if event.keycode >= 32 and event.keycode < 127 and not event.ctrl_pressed and not event.alt_pressed:
		event.unicode = event.keycode if event.shift_pressed else String.chr(event.keycode).to_lower().unicode_at(0)
	return _both(one, event)


func _text(text: String) -> Dictionary:
	var events: Array = []
	for at in mini(text.length(), 1000):
		for is_down: bool in [true, false]:
			var event := InputEventKey.new()
			event.unicode = text.unicode_at(at)
			event.keycode = OS.find_keycode_from_string(text[at].to_upper())
			event.pressed = is_down
			events.append(event)
	return {"events": events}


func _mouse(one: Dictionary) -> Dictionary:
	var place := _point(one["mouse"])
	var motion := InputEventMouseMotion.new()
	motion.position = place
	motion.global_position = place
	var relative := _point(one.get("relative", [0, 0]))
	motion.relative = relative
	var events: Array = [motion]
	if one.has("button"):
		var event := InputEventMouseButton.new()
		event.button_index = _button(one["button"])
		if event.button_index == MOUSE_BUTTON_NONE:
			return Server.failed("there is no mouse button '%s'; left, right, middle, wheel_up, wheel_down" % one["button"], Server.BAD_PARAMS)
		event.position = place
		event.global_position = place
		events.append_array(_both(one, event)["events"])
	return {"events": events}


func _touch(one: Dictionary) -> Dictionary:
	var place := _point(one["touch"])
	var down := InputEventScreenTouch.new()
	down.position = place
	down.index = int(one.get("finger", 0))
	if not one.has("to"):
		return _both(one, down)
	var end := _point(one["to"])
	var events: Array = [_pressed(down, true)]
	for step in 8:
		var drag := InputEventScreenDrag.new()
		drag.index = down.index
		drag.position = place.lerp(end, (step + 1) / 8.0)
		drag.relative = (end - place) / 8.0
		events.append(drag)
	var up := _pressed(down, false)
	up.position = end
	events.append(up)
	return {"events": events}


## Down and up, only one of them when that is asked for, with the frames between.
func _both(one: Dictionary, event: InputEvent) -> Dictionary:
	if one.has("pressed"):
		return {"events": [_pressed(event, one["pressed"])]}
	one["release"] = _pressed(event, false)
	if not one.has("frames"):
		one["frames"] = 1
	return {"events": [_pressed(event, true)]}


static func _pressed(event: InputEvent, is_down: bool) -> InputEvent:
	var other: InputEvent = event.duplicate()
	other.set("pressed", is_down)
	return other


static func _point(said: Variant) -> Vector2:
	if said is Dictionary:
		return Vector2(float(said.get("x", 0)), float(said.get("y", 0)))
	return Vector2(float(said[0]), float(said[1])) if said is Array and said.size() == 2 else Vector2.ZERO


static func _button(name: String) -> MouseButton:
	match name:
		"left":
			return MOUSE_BUTTON_LEFT
		"right":
			return MOUSE_BUTTON_RIGHT
		"middle":
			return MOUSE_BUTTON_MIDDLE
		"wheel_up":
			return MOUSE_BUTTON_WHEEL_UP
		"wheel_down":
			return MOUSE_BUTTON_WHEEL_DOWN
	return MOUSE_BUTTON_NONE
