extends Node
## The game's side of the link: an autoload that listens while the project is run by an editor build,
## and costs a game nothing that nobody is linked to.

const Server := preload("link/server.gd")
const Log := preload("link/log.gd")
const Methods := preload("game/methods.gd")

const ASKED := "scenewright/export_with_game"
const SEED := "--scenewright-seed="

var _server := Server.new()
var _log := Log.new()
var _methods: Methods


func _init() -> void:
	for argument in OS.get_cmdline_user_args():
		if argument.begins_with(SEED):
			seed(argument.trim_prefix(SEED).to_int())


func _enter_tree() -> void:
	process_mode = Node.PROCESS_MODE_ALWAYS
	# Before the game's own nodes, so that a request sees a whole frame.
	process_priority = -1000
	if not OS.has_feature("editor") and not ProjectSettings.get_setting(ASKED, false):
		set_process(false)
		return
	_log.start()
	_methods = Methods.new(self, _log)
	_server.wake = set_process.bind(true)
	_server.start("game", _methods.answer)
	# A game that nobody is linked to has nothing to do for it in any frame.
	set_process(false)


func _exit_tree() -> void:
	_server.stop()
	_log.stop()


func _process(_delta: float) -> void:
	_server.serve()
	if not _server.has_clients:
		set_process(false)
		# Somebody may have come just now.
		if _server.has_clients:
			set_process(true)
		return
	_methods.turn()
	var lines := _log.fresh(20)
	if not lines.is_empty():
		_server.tell("output", lines)
