class_name StateMachine
extends Node
## Runs one of its states at a time. States are added in code or found among the children:
## a child counts when its script extends StateMachine.State.

signal changed(from: StringName, to: StringName)

## The child that is entered first; the first one when it is not set.
@export var initial: Node

var current: State = null
var _states: Dictionary = {}


## What a state does. Override what you need, and ask for another state with go_to.
class State:
	extends Node

	var machine: StateMachine

	## The state begins.
	func enter(_from: StringName) -> void:
		pass

	## The state ends.
	func leave() -> void:
		pass

	## Called every frame while the state lasts.
	func update(_delta: float) -> void:
		pass

	## Called every physics tick while the state lasts.
	func physics_update(_delta: float) -> void:
		pass

	## Called for input that nothing else took while the state lasts.
	func handle_input(_event: InputEvent) -> void:
		pass

	func go_to(next: StringName) -> void:
		machine.go_to(next)


func _ready() -> void:
	for child in get_children():
		if child is State:
			add_state(child)
	if initial is State:
		go_to(initial.name)
	elif not _states.is_empty():
		go_to(_states.keys()[0])


## Makes a state known under its node's name.
func add_state(state: State) -> void:
	state.machine = self
	_states[state.name] = state
	if state.get_parent() == null:
		add_child(state)


## Leaves the current state and enters another.
func go_to(next: StringName) -> void:
	if not _states.has(next):
		push_error("%s has no state called %s" % [name, next])
		return
	var from: StringName = &"" if current == null else current.name
	if current != null:
		current.leave()
	current = _states[next]
	current.enter(from)
	changed.emit(from, next)


func _process(delta: float) -> void:
	if current != null:
		current.update(delta)


func _physics_process(delta: float) -> void:
	if current != null:
		current.physics_update(delta)


func _unhandled_input(event: InputEvent) -> void:
	if current != null:
		current.handle_input(event)
