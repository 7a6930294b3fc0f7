class_name PlatformerBody
extends CharacterBody2D
## Runs and jumps. Jumping still works shortly after a ledge, and shortly before the ground.

signal jumped
signal landed

@export_range(0.0, 1000.0, 1.0, "suffix:px/s") var top_speed := 220.0
@export_range(0.0, 5000.0, 1.0, "suffix:px/s²") var acceleration := 1400.0
@export_range(0.0, 5000.0, 1.0, "suffix:px/s²") var friction := 1800.0
@export_range(0.0, 500.0, 1.0, "suffix:px") var jump_height := 72.0
## How long after a ledge a jump still counts.
@export_range(0.0, 0.5, 0.01, "suffix:s") var coyote_time := 0.1
## How long before the ground a jump already counts.
@export_range(0.0, 0.5, 0.01, "suffix:s") var buffer_time := 0.12
@export var action_left: StringName = &"ui_left"
@export var action_right: StringName = &"ui_right"
@export var action_jump: StringName = &"ui_accept"

var _gravity: float = ProjectSettings.get_setting("physics/2d/default_gravity")
var _since_ground := INF
var _since_press := INF
var _was_on_floor := false


func _physics_process(delta: float) -> void:
	_since_ground = 0.0 if is_on_floor() else _since_ground + delta
	_since_press = 0.0 if Input.is_action_just_pressed(action_jump) else _since_press + delta
	_fall(delta)
	_jump()
	_run(delta)
	move_and_slide()
	if is_on_floor() and not _was_on_floor:
		landed.emit()
	_was_on_floor = is_on_floor()


func _fall(delta: float) -> void:
	if not is_on_floor():
		velocity.y += _gravity * delta


func _jump() -> void:
	if _since_press > buffer_time or _since_ground > coyote_time:
		return
	# The speed that is spent exactly at the height: v² = 2gh.
	velocity.y = -sqrt(2.0 * _gravity * jump_height)
	_since_press = INF
	_since_ground = INF
	jumped.emit()


func _run(delta: float) -> void:
	var direction := Input.get_axis(action_left, action_right)
	if is_zero_approx(direction):
		velocity.x = move_toward(velocity.x, 0.0, friction * delta)
	else:
		velocity.x = move_toward(velocity.x, direction * top_speed, acceleration * delta)
