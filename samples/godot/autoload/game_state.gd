extends Node
## Keeps the score of the current run. Registered as the autoload "GameState".

signal score_changed(score: int)
signal all_coins_collected

var score: int = 0
var best_score: int = 0
var coins_left: int = 0


func begin_run(coin_count: int) -> void:
	score = 0
	coins_left = coin_count
	score_changed.emit(score)


func add_coin(value: int) -> void:
	score += value
	best_score = maxi(best_score, score)
	coins_left = maxi(coins_left - 1, 0)
	score_changed.emit(score)
	if coins_left == 0:
		all_coins_collected.emit()


func set_bus_muted(bus_name: StringName, muted: bool) -> void:
	var index: int = AudioServer.get_bus_index(bus_name)
	if index >= 0:
		AudioServer.set_bus_mute(index, muted)
