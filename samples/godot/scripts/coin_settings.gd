class_name CoinSettings
extends Resource
## What a kind of coin is worth and how it looks.

enum Metal { COPPER, SILVER, GOLD }

@export var title: String = "Coin"
@export_range(1, 100) var value: int = 1
@export var metal: Metal = Metal.COPPER
@export var tint: Color = Color.WHITE
@export_range(0.0, 8.0, 0.5, "suffix:px") var bob_height: float = 2.0
@export var tags: Array[StringName] = []
