@tool
extends EditorExportPlugin
## Keeps the link out of exported games, unless the project asks for it.

const ASKED := "scenewright/export_with_game"
const AUTOLOAD := "autoload/ScenewrightLink"

var _folder: String = (get_script() as Script).resource_path.get_base_dir().get_base_dir() + "/"
var _autoload: Variant


## Export plugins have their turn by name, and what one leaves out, those after it do not see: that of
## GDScript would have packed the scripts already.
func _get_name() -> String:
	return "Addon of scenewright"


## The settings of the game are written after this; the file of the project is not.
func _export_begin(_features: PackedStringArray, _is_debug: bool, _path: String, _flags: int) -> void:
	if not _is_asked() and ProjectSettings.has_setting(AUTOLOAD):
		_autoload = ProjectSettings.get_setting(AUTOLOAD)
		ProjectSettings.set_setting(AUTOLOAD, null)


func _export_end() -> void:
	if _autoload != null:
		ProjectSettings.set_setting(AUTOLOAD, _autoload)
		_autoload = null


func _export_file(path: String, _type: String, _features: PackedStringArray) -> void:
	if path.begins_with(_folder) and not _is_asked():
		skip()


func _is_asked() -> bool:
	return ProjectSettings.get_setting(ASKED, false)
