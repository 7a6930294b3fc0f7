# Instances scenes one after the other and says on the error stream which one is up, so that what the
# engine reports in between belongs to it.
extends SceneTree


func _initialize() -> void:
	var words: PackedStringArray = OS.get_cmdline_user_args()
	var mark: String = words[0]
	var frames: int = int(words[1])
	for path: String in words.slice(2):
		printerr(mark, " begin ", path)
		var packed: PackedScene = load(path) as PackedScene
		if packed == null:
			printerr("ERROR: the scene cannot be loaded")
		else:
			var node: Node = packed.instantiate()
			if node == null:
				printerr("ERROR: the scene cannot be instanced")
			else:
				root.add_child(node)
				for frame: int in frames:
					await process_frame
				if is_instance_valid(node):
					node.queue_free()
				await process_frame
		printerr(mark, " end ", path)
	printerr(mark, " done")
	quit()
