//! Properties that classes make up: one of a series, or named by what the project has. A table
//! cannot list them, a pattern can tell them from a mistake.

use super::Type;

/// Why a property may be stored although no table lists it.
#[derive(Debug, PartialEq)]
pub struct Rule {
    /// The class that has such properties; those that inherit from it do too.
    pub class: &'static str,
    /// Parts between `/`: `#` is a number, `*` any name, `**` everything from here on.
    pub pattern: &'static str,
    /// What such a property is.
    pub meaning: &'static str,
    /// What it holds, where that is the same for all of them.
    pub value: Option<Type>,
}

/// The first rule for a property; `is_a` tells whether the class in question is or inherits another.
pub(super) fn find(property: &str, is_a: impl Fn(&str) -> bool) -> Option<&'static Rule> {
    RULES.iter().find(|rule| matches(rule.pattern, property) && is_a(rule.class))
}

const fn rule(class: &'static str, pattern: &'static str, meaning: &'static str) -> Rule {
    Rule { class, pattern, meaning, value: None }
}

/// A rule of properties that all hold the same.
const fn holds(
    value: &'static str,
    class: &'static str,
    pattern: &'static str,
    meaning: &'static str,
) -> Rule {
    Rule { class, pattern, meaning, value: Some(Type::named(value)) }
}

#[rustfmt::skip]
static RULES: &[Rule] = &[
    // Everything.
    rule("Object", "metadata/*", "metadata that a user or a tool set"),
    rule("Object", "script", "the script of the object"),

    // Animation.
    rule("Animation", "tracks/#/*", "a track of the animation"),
    rule("AnimationMixer", "libraries", "all animation libraries, as written before Godot 4.6"),
    holds("AnimationLibrary", "AnimationMixer", "libraries/*", "an animation library, by name"),
    holds("AnimationLibrary", "AnimationPlayer", "libraries/*", "an animation library, by name"),
    rule("AnimationPlayer", "next/*", "the animation that follows another"),
    rule("AnimationTree", "parameters/**", "a parameter of the tree's nodes"),
    rule("AnimationNodeBlendSpace1D", "blend_point_#/*", "a point of the blend space"),
    rule("AnimationNodeBlendSpace2D", "blend_point_#/*", "a point of the blend space"),
    rule("AnimationNodeBlendTree", "nodes/*/*", "a node of the blend tree"),
    rule("AnimationNodeStateMachine", "states/*/*", "a state of the state machine"),
    rule("AnimationNodeTransition", "input_#/*", "an input of the transition"),
    rule("Curve", "point_#/*", "a point of the curve"),
    rule("Curve2D", "point_#/*", "a point of the curve"),
    rule("Curve3D", "point_#/*", "a point of the curve"),
    rule("AnimatedTexture", "frame_#/*", "a frame of the texture"),
    rule("ImageTexture", "image", "the image itself, which older tables do not list"),

    // Controls and themes.
    holds("Color", "Control", "theme_override_colors/*", "a colour instead of the theme's"),
    holds("int", "Control", "theme_override_constants/*", "a number instead of the theme's"),
    holds("Font", "Control", "theme_override_fonts/*", "a font instead of the theme's"),
    holds("int", "Control", "theme_override_font_sizes/*", "a font size instead of the theme's"),
    holds("Texture2D", "Control", "theme_override_icons/*", "an icon instead of the theme's"),
    holds("StyleBox", "Control", "theme_override_styles/*", "a style box instead of the theme's"),
    holds("Color", "Window", "theme_override_colors/*", "a colour instead of the theme's"),
    holds("int", "Window", "theme_override_constants/*", "a number instead of the theme's"),
    holds("Font", "Window", "theme_override_fonts/*", "a font instead of the theme's"),
    holds("int", "Window", "theme_override_font_sizes/*", "a font size instead of the theme's"),
    holds("Texture2D", "Window", "theme_override_icons/*", "an icon instead of the theme's"),
    holds("StyleBox", "Window", "theme_override_styles/*", "a style box instead of the theme's"),
    holds("StringName", "Theme", "*/base_type", "the type that a type variation is based on"),
    holds("Color", "Theme", "*/colors/*", "a colour of a control type"),
    holds("int", "Theme", "*/constants/*", "a number of a control type"),
    holds("Font", "Theme", "*/fonts/*", "a font of a control type"),
    holds("int", "Theme", "*/font_sizes/*", "a font size of a control type"),
    holds("Texture2D", "Theme", "*/icons/*", "an icon of a control type"),
    holds("StyleBox", "Theme", "*/styles/*", "a style box of a control type"),
    rule("PopupMenu", "item_#/*", "an item of the menu"),
    rule("MenuButton", "popup/item_#/*", "an item of the button's menu"),
    rule("OptionButton", "popup/item_#/*", "an option"),
    rule("ItemList", "item_#/*", "an item of the list"),
    rule("TabBar", "tab_#/*", "a tab"),
    rule("TabContainer", "tab_#/*", "a tab"),
    rule("FileDialog", "option_#/*", "an option of the dialog"),
    rule("LabelSettings", "stacked_outline_#/*", "one of several outlines"),
    rule("LabelSettings", "stacked_shadow_#/*", "one of several shadows"),
    rule("GraphNode", "slot/#/*", "a slot of the node"),
    rule("FontFile", "cache/#/**", "glyphs of one size"),
    rule("FontFile", "language_support_override/*", "whether the font is for a language"),
    rule("FontFile", "script_support_override/*", "whether the font is for a script"),

    // Shaders and materials.
    rule("ShaderMaterial", "shader_parameter/*", "a uniform of the shader"),
    rule("CanvasItem", "instance_shader_parameters/*", "a uniform of this instance"),
    rule("GeometryInstance3D", "instance_shader_parameters/*", "a uniform of this instance"),
    rule("VisualShader", "nodes/*/**", "a node or the connections of the shader"),
    rule("VisualShader", "flags/*", "a render mode of the shader"),
    rule("VisualShader", "modes/*", "a render mode of the shader"),
    rule("VisualShader", "varyings/*", "a varying of the shader"),

    // Meshes and skeletons.
    holds("Material", "MeshInstance3D", "surface_material_override/#", "the material of a surface"),
    holds("float", "MeshInstance3D", "blend_shapes/*", "the weight of a blend shape"),
    rule("ArrayMesh", "surface_#/*", "a surface of the mesh"),
    rule("MeshLibrary", "item/#/*", "an item of the library"),
    rule("Skeleton3D", "bones/#/*", "a bone of the skeleton"),
    rule("Bone2D", "length", "the length of the bone, when it is not calculated"),
    rule("Bone2D", "bone_angle", "the angle of the bone, when it is not calculated"),
    rule("Skin", "bind/#/*", "a bind of the skin"),
    rule("BoneMap", "bone_map/*", "a bone and its name in the profile"),
    rule("SkeletonProfile", "groups/#/*", "a group of the profile"),
    rule("SkeletonProfile", "bones/#/*", "a bone of the profile"),
    rule("PhysicalBone3D", "joint_constraints/**", "a limit of the bone's joint"),
    rule("SkeletonModifier3D", "settings/#/**", "one of the modifier's chains or bones"),
    rule("SkeletonModifier3D", "chains/#/*", "one of the modifier's chains"),
    rule("SkeletonModificationStack2D", "modifications/#", "a modification of the stack"),
    rule("SkeletonModification2DCCDIK", "joint_data/#/*", "a joint of the chain"),
    rule("SkeletonModification2DFABRIK", "joint_data/#/*", "a joint of the chain"),
    rule("SkeletonModification2DJiggle", "joint_data/#/*", "a joint of the chain"),
    rule("SkeletonModification2DJiggle", "collision_mask", "what the joints collide with"),
    rule("SkeletonModification2DLookAt", "constraint_angle_invert", "a limit of the angle"),
    rule("SkeletonModification2DLookAt", "constraint_angle_max", "a limit of the angle"),
    rule("SkeletonModification2DLookAt", "constraint_angle_min", "a limit of the angle"),
    rule("SkeletonModification2DLookAt", "constraint_in_localspace", "a limit of the angle"),
    rule("SkeletonModification2DPhysicalBones", "joint_#_nodepath", "a bone of the chain"),
    rule("SoftBody3D", "attachments/#/*", "a pinned point"),

    // Tiles.
    rule("TileMap", "layer_#/*", "a layer of the map"),
    rule("TileSet", "sources/#", "a source of tiles"),
    rule("TileSet", "pattern_#", "a stored pattern"),
    rule("TileSet", "physics_layer_#/*", "a physics layer"),
    rule("TileSet", "navigation_layer_#/*", "a navigation layer"),
    rule("TileSet", "occlusion_layer_#/*", "an occlusion layer"),
    rule("TileSet", "custom_data_layer_#/*", "a layer of custom data"),
    rule("TileSet", "terrain_set_#/**", "a terrain set"),
    rule("TileSetAtlasSource", "#:#/**", "a tile of the atlas"),
    rule("TileSetScenesCollectionSource", "scenes/#/*", "a scene of the collection"),

    // Sound.
    rule("AudioBusLayout", "bus/#/**", "an audio bus"),
    rule("AudioEffectEQ", "band_db/*", "the gain of a band"),
    rule("AudioStreamRandomizer", "stream_#/*", "one of the streams"),
    rule("AudioStreamSynchronized", "stream_#/*", "one of the streams"),
    rule("AudioStreamPlaylist", "stream_#", "one of the streams"),
    rule("AudioStreamInteractive", "clip_#/*", "a clip"),
    rule("AudioStreamPlayer", "parameters/*", "a parameter of the stream"),
    rule("AudioStreamPlayer2D", "parameters/*", "a parameter of the stream"),
    rule("AudioStreamPlayer3D", "parameters/*", "a parameter of the stream"),

    // Multiplayer.
    rule("MultiplayerSpawner", "scenes/#", "a scene that may be spawned"),
    rule("SceneReplicationConfig", "properties/#/*", "a replicated property"),
];

/// Whether a property is as the pattern says. Nothing but the last part may be empty: a library
/// without a name is `libraries/`.
fn matches(pattern: &str, property: &str) -> bool {
    let mut parts = property.split('/').peekable();
    for expected in pattern.split('/') {
        let Some(part) = parts.next() else { return false };
        match expected {
            "**" => return !part.is_empty(),
            "*" if part.is_empty() && parts.peek().is_some() => return false,
            "*" => {}
            _ if matches_part(expected, part) => {}
            _ => return false,
        }
    }
    parts.next().is_none()
}

fn matches_part(pattern: &str, mut part: &str) -> bool {
    for (at, literal) in pattern.split('#').enumerate() {
        if at > 0 {
            let digits = part.bytes().take_while(u8::is_ascii_digit).count();
            if digits == 0 {
                return false;
            }
            part = &part[digits..];
        }
        let Some(rest) = part.strip_prefix(literal) else { return false };
        part = rest;
    }
    part.is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::{Classes, Version};
    use super::*;

    #[test]
    fn matches_numbers_names_and_the_rest() {
        let yes = [
            ("tracks/#/*", "tracks/0/type"),
            ("libraries/*", "libraries/"),
            ("#:#/**", "12:3/0/terrains_peering_bit/right_side"),
            ("joint_constraints/**", "joint_constraints/bias"),
            ("pattern_#", "pattern_7"),
            ("script", "script"),
        ];
        let no = [
            ("tracks/#/*", "tracks/x/type"),
            ("tracks/#/*", "tracks/0"),
            ("tracks/#/*", "tracks/0/keys/1"),
            ("*/colors/*", "/colors/x"),
            ("#:#/**", "12:3"),
            ("#:#/**", "12:/0"),
            ("pattern_#", "pattern_"),
            ("script", "scripts"),
        ];
        assert_eq!(yes.map(|(pattern, name)| matches(pattern, name)), [true; 6]);
        assert_eq!(no.map(|(pattern, name)| matches(pattern, name)), [false; 8]);
    }

    #[test]
    fn every_rule_is_of_a_class_that_exists() {
        let classes = Classes::of(Version::V4_6);
        let unknown: Vec<_> = RULES
            .iter()
            .map(|rule| rule.class)
            .filter(|name| classes.class(name).is_none())
            .collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }

    #[test]
    fn a_rule_holds_for_its_classes_only() {
        let classes = Classes::of(Version::V4_6);
        let meaning = |class, name| classes.explains(class, name).map(|rule| rule.meaning);
        assert_eq!(
            meaning("Button", "theme_override_colors/x"),
            Some("a colour instead of the theme's")
        );
        assert_eq!(meaning("Node3D", "theme_override_colors/x"), None);
        assert_eq!(meaning("Animation", "tracks/3/path"), Some("a track of the animation"));
        assert_eq!(
            meaning("Node", "metadata/_edit_lock_"),
            Some("metadata that a user or a tool set")
        );
        assert_eq!(meaning("NoSuchClass", "metadata/x"), None);
    }
}
