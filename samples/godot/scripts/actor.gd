class_name Actor
extends CharacterBody2D
## Anything that stands on the ground and can be animated.

## Sent by the method track of the "hop" animation.
signal puffed(strength: float)

@onready var animation_player: AnimationPlayer = $AnimationPlayer


func puff(strength: float) -> void:
	puffed.emit(strength)


func apply_gravity(delta: float) -> void:
	if not is_on_floor():
		velocity += get_gravity() * delta
