extends Node2D
## Joins the level, the player, the coins and the HUD.

@export var player: Player
@export var goal: Marker2D
@export_range(8.0, 128.0, 1.0, "suffix:px") var goal_radius: float = 32.0

@onready var _score_label: Label = %ScoreLabel
@onready var _hint: Label = $HUD/Root/Hint
@onready var _start: Marker2D = $Level/Start
@onready var _lamp: Polygon2D = $Level/Lighthouse/Lamp


func _ready() -> void:
	GameState.score_changed.connect(_on_score_changed)
	GameState.all_coins_collected.connect(_on_all_coins_collected)
	GameState.begin_run(get_tree().get_nodes_in_group(&"coins").size())


func _on_score_changed(score: int) -> void:
	_score_label.text = "Score: %d" % score


func _on_all_coins_collected() -> void:
	_hint.text = "Light the lamp!"


func _on_coin_collected(value: int, kind: StringName = &"plain") -> void:
	if kind == &"bonus":
		_hint.text = "Bonus: +%d" % value
	GameState.add_coin(value)


func _on_player_interacted(at: Vector2) -> void:
	if GameState.coins_left > 0 or at.distance_to(goal.global_position) > goal_radius:
		return
	var lamp_material: ShaderMaterial = _lamp.material
	lamp_material.set_shader_parameter(&"strength", 1.0)
	_hint.text = "The lamp is lit. Best score: %d" % GameState.best_score


func _on_player_fell() -> void:
	player.respawn(_start.global_position)


func _on_restart_pressed() -> void:
	get_tree().reload_current_scene()
