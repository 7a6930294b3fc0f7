class_name Coin
extends Area2D
## A pickup that the player collects by touching it.

signal collected(value: int)

@export var settings: CoinSettings

var _time: float = 0.0

@onready var _face: Polygon2D = $Face


func _ready() -> void:
	_face.color = settings.tint


func _process(delta: float) -> void:
	_time += delta
	_face.position.y = sin(_time * 4.0) * settings.bob_height


func _on_body_entered(body: Node2D) -> void:
	if body is Player:
		set_deferred(&"monitoring", false)
		collected.emit(settings.value)
		queue_free()
