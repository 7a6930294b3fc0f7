class_name Player
extends Actor
## The keeper, moved by the input actions of the project.

signal jumped
signal interacted(at: Vector2)
signal fell

@export_group("Movement")
@export_range(20.0, 400.0, 5.0, "suffix:px/s") var speed: float = 120.0
@export_range(50.0, 600.0, 5.0, "suffix:px/s") var jump_speed: float = 300.0
@export_range(1.0, 20.0, 0.5) var acceleration: float = 8.0

@export_group("Limits")
@export var fall_limit: float = 400.0

@onready var _body: Polygon2D = $Body
@onready var _coyote_timer: Timer = $CoyoteTimer


func _physics_process(delta: float) -> void:
	var was_on_floor: bool = is_on_floor()
	apply_gravity(delta)

	var direction: float = Input.get_axis(&"move_left", &"move_right")
	velocity.x = move_toward(velocity.x, direction * speed, speed * acceleration * delta)
	if not is_zero_approx(direction):
		_body.scale.x = signf(direction)

	if Input.is_action_just_pressed(&"jump") and _can_jump():
		_jump()
	move_and_slide()

	if was_on_floor and not is_on_floor() and velocity.y >= 0.0:
		_coyote_timer.start()
	if position.y > fall_limit:
		fell.emit()


func _unhandled_input(event: InputEvent) -> void:
	if event.is_action_pressed(&"interact"):
		interacted.emit(global_position)


func respawn(at: Vector2) -> void:
	global_position = at
	velocity = Vector2.ZERO


func _can_jump() -> bool:
	return is_on_floor() or not _coyote_timer.is_stopped()


func _jump() -> void:
	_coyote_timer.stop()
	velocity.y = -jump_speed
	animation_player.play(&"hop")
	animation_player.queue(&"idle")
	jumped.emit()


func _on_coyote_timer_timeout() -> void:
	animation_player.play(&"idle")
