extends RefCounted
## Time: its speed, a pause, single steps; and what the engine measures over some of it.

const Server := preload("../link/server.gd")

const MAX_STEPS := 10000
const MAX_SECONDS := 60.0

const MONITORS := {
	"fps": Performance.TIME_FPS,
	"processSeconds": Performance.TIME_PROCESS,
	"physicsSeconds": Performance.TIME_PHYSICS_PROCESS,
	"memoryBytes": Performance.MEMORY_STATIC,
	"objects": Performance.OBJECT_COUNT,
	"resources": Performance.OBJECT_RESOURCE_COUNT,
	"nodes": Performance.OBJECT_NODE_COUNT,
	"orphans": Performance.OBJECT_ORPHAN_NODE_COUNT,
	"drawCalls": Performance.RENDER_TOTAL_DRAW_CALLS_IN_FRAME,
	"primitives": Performance.RENDER_TOTAL_PRIMITIVES_IN_FRAME,
	"videoBytes": Performance.RENDER_VIDEO_MEM_USED,
	"physics2D": Performance.PHYSICS_2D_ACTIVE_OBJECTS,
	"physics3D": Performance.PHYSICS_3D_ACTIVE_OBJECTS,
}

var _link: Node


func _init(link: Node) -> void:
	_link = link


func time(params: Dictionary) -> Dictionary:
	var tree := _link.get_tree()
	if params.has("scale"):
		Engine.time_scale = clampf(float(params["scale"]), 0.0, 100.0)
	if params.has("pause"):
		tree.paused = params["pause"]
	var steps := clampi(int(params.get("steps", 0)), 0, MAX_STEPS)
	if steps > 0:
		# The frames of a game are those of its physics: the others come as fast as the machine can.
		tree.paused = false
		# The signal comes before the nodes have their turn, so the pause waits for one more.
		for _step in steps + 1:
			await tree.physics_frame
			if not params["session"].get("is_open"):
				break
		tree.paused = true
	return {"result": {
		"timeScale": Engine.time_scale, "isPaused": tree.paused,
		"frame": Engine.get_process_frames(), "physicsFrame": Engine.get_physics_frames(),
	}}


func monitors(params: Dictionary) -> Dictionary:
	var seconds := clampf(float(params.get("seconds", 1.0)), 0.0, MAX_SECONDS)
	var until := Time.get_ticks_msec() + int(seconds * 1000.0)
	var lowest := {}
	var highest := {}
	var sums := {}
	var frames := 0
	var last := Time.get_ticks_usec()
	var longest := 0
	while true:
		for name: String in MONITORS:
			var value := Performance.get_monitor(MONITORS[name])
			lowest[name] = minf(lowest.get(name, value), value)
			highest[name] = maxf(highest.get(name, value), value)
			sums[name] = sums.get(name, 0.0) + value
		frames += 1
		if Time.get_ticks_msec() >= until or not params["session"].get("is_open"):
			break
		await _link.get_tree().process_frame
		var now := Time.get_ticks_usec()
		longest = maxi(longest, now - last)
		last = now
	var said := {}
	for name: String in MONITORS:
		said[name] = [lowest[name], sums[name] / frames, highest[name]]
	return {"result": {"frames": frames, "seconds": seconds, "longestFrameSeconds": longest / 1000000.0, "monitors": said}}
