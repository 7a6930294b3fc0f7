//! The words that the search knows: those that say nothing, those that mean the same, those of people's
//! games. They are of English and of making games, and of no tool.

use std::collections::HashSet;
use std::sync::LazyLock;

/// Words without an order.
pub(super) type Words = LazyLock<HashSet<&'static str>>;

/// Words that say nothing about what a tool does.
pub(super) static EMPTY: Words = LazyLock::new(|| {
    "a also am an and any anything are as at bad be because been by can cant certain did didnt do \
     does doesnt dont down each eight etc existing five for four from get give given had has have \
     having he her here hey his how i if im in into is isnt it its ive just let lets like make me \
     my need newcomer nine not of off ok old on one only or other our out over own particular please \
     provided really seven she should six so some something specific specified stuff such tell \
     team teammate ten than thanks that the their them then there these they thing things this those three times to \
     too tool two up us using very via want was way we were what when where which will with wont \
     would you your"
        .split_whitespace()
        .collect()
});

/// Words whose last letters are no ending.
pub(super) static WHOLE: Words = LazyLock::new(|| {
    "canvas installed lighting missing physics setting sibling string tres"
        .split_whitespace()
        .collect()
});

/// Words that mean the same to who looks for a tool: what is done, to what, and how it is.
pub(super) const ALIKE: &[&str] = &[
    "add create insert new put place spawn make generate slap stick plop chuck introduce",
    "remove delete destroy erase clear drop discard trash eliminate ditch nuke kill wipe scrap toss rip purge axe strip",
    "change edit modify set update configure tweak adjust alter",
    "list show enumerate all overview every each everything",
    "find search locate look query grep seek",
    "read open view content see inspect print display dump",
    "write save store",
    "usage use used who refer reference depend dependency need require",
    "check validate verify lint audit problem wrong broken diagnose issue",
    "missing lost gone dangling dead broken null absent",
    "error problem diagnostic warn fail crash bug exception trouble",
    "move position translate transform place location shift teleport coordinate",
    "move reparent parent",
    "duplicate copy clone",
    "run play start launch execute",
    "stop end quit kill halt",
    "screenshot picture image capture photo snapshot",
    "boot start launch load begin first",
    "fade dissolve opacity",
    "follow trail chase track",
    "swing spin rotate turn",
    "stack line arrange layout",
    "call invoke trigger fire run",
    "declare define implement",
    "bigger larger heavy bloat",
    "fps framerate performance lag stutter slow",
    "fog foggy mist haze",
    "glow bloom emission",
    "translate translation localise localize",
    "undo revert back rollback restore",
    "history log journal",
    "script code gdscript csharp source",
    "property field value attribute member parameter variable",
    "gameobject object entity thing actor",
    "node object thing",
    "hierarchy tree structure outline",
    "scene level map stage room world",
    "asset file resource tres",
    "ui interface gui hud menu screen",
    "button label control widget checkbox slider",
    "text label font string caption title",
    "sound audio music sfx noise song volume",
    "light lamp lighting sun torch lantern",
    "collision collider hitbox shape solid",
    "rigidbody physics body gravity mass",
    "package upm plugin dependency library",
    "setting config configuration option preference",
    "autoload singleton global",
    "input key keybind keyboard action gamepad joystick",
    "signal event connect connection callback handler listener trigger",
    "unused orphan unreferenced dead",
    "size large big memory weight",
    "scale big bigger small smaller resize size enlarge shrink larger",
    "rotate rotation turn angle orientation tilt",
    "texture image sprite picture graphic",
    "color colour tint hue paint",
    "visible hide show invisible hidden visibility",
    "active enable disable inactive activate deactivate",
    "translation localization locale language",
    "version release",
    "export build publish ship deliver",
    "import reimport",
    "rename name call",
    "instance instantiate prefab",
    "api class type method doc documentation",
    "animation animate anim clip motion",
    "keyframe key",
    "tile tilemap tileset cell grid",
    "navigation navmesh pathfinding path",
    "particle vfx emitter effect",
    "batch several many multiple atomic once bulk",
    "output console log print",
    "tag label group",
    "upgrade convert migrate port",
    "info detail describe about summary overview fact",
    "cutscene timeline cinematic sequence",
    "camera cam view viewport",
    "child parent under below",
    "attach assign give apply",
    "bind hook wire link",
    "shader material surface",
    "model mesh geometry polygon",
    "character player hero enemy",
    "override difference different modified",
    "instead swap replace exchange substitute",
    "merge combine join pack",
    "cut slice split",
    "folder directory",
    "project game",
];

/// Several words that are one, and the word. Of two the second may stand behind what is meant by it, as
/// in `take the script off`.
pub(super) const PHRASES: &[(&str, &str)] = &[
    ("take a look at", "read"),
    ("have a look at", "read"),
    ("take a peek at", "read"),
    ("peek into", "read"),
    ("look into", "read"),
    ("peek at", "read"),
    ("scriptable objects", "scriptableobject"),
    ("scriptable object", "scriptableobject"),
    ("level of detail", "lod"),
    ("no longer used", "unused"),
    ("sprite sheets", "spritesheet"),
    ("state machine", "statemachine"),
    ("game objects", "gameobject"),
    ("key bindings", "keybind"),
    ("mesh library", "meshlibrary"),
    ("nothing uses", "unused"),
    ("sprite sheet", "spritesheet"),
    ("children of", "children"),
    ("game object", "gameobject"),
    ("in front of", "order"),
    ("key binding", "keybind"),
    ("nobody uses", "unused"),
    ("source code", "code"),
    ("belongs to", "in"),
    ("do not use", "unused"),
    ("draw order", "order"),
    ("get rid of", "remove"),
    ("got rid of", "remove"),
    ("how bright", "intensity value"),
    ("looks like", "screenshot"),
    ("never used", "unused"),
    ("switch off", "disable"),
    ("throw away", "remove"),
    ("don't use", "unused"),
    ("how heavy", "mass value"),
    ("how large", "size"),
    ("is called", "called"),
    ("look like", "screenshot"),
    ("on top of", "order"),
    ("strip off", "remove"),
    ("switch on", "enable"),
    ("take away", "remove"),
    ("take back", "undo"),
    ("throw out", "remove"),
    ("took back", "undo"),
    ("turn down", "lower value"),
    ("who calls", "callers"),
    ("child of", "parent"),
    ("how fast", "speed value"),
    ("how long", "length value"),
    ("how many", "count"),
    ("nav mesh", "navmesh"),
    ("not used", "unused"),
    ("take off", "remove"),
    ("take out", "remove"),
    ("tile map", "tilemap"),
    ("tile set", "tileset"),
    ("turn off", "disable"),
    ("spit out", "printed"),
    ("spits out", "prints"),
    ("what depends on", "usages of"),
    ("who depends on", "usages of"),
    ("which depend on", "usages of"),
    ("that depend on", "usages of"),
    ("go back", "undo"),
    ("chuck out", "remove"),
    ("toss out", "remove"),
    ("rip out", "remove"),
    ("clear out", "remove"),
    ("should read", "should text"),
    ("should say", "should text"),
    ("must say", "should text"),
    ("kick out", "remove"),
    ("kick off", "remove"),
    ("pull off", "remove"),
    ("rip off", "remove"),
    ("roll back", "undo"),
    ("put back", "undo"),
    ("side by side", "horizontal row"),
    ("where does", "where"),
    ("where do", "where"),
    ("make sure", "check"),
    ("double check", "check"),
    ("as a child of", "parent"),
    ("no longer", "remove"),
    ("point at", "reference"),
    ("points at", "reference"),
    ("fired up", "started"),
    ("fire up", "start"),
    ("boot up", "start"),
    ("slow down", "slower"),
    ("speed up", "faster"),
    ("light up", "brighten"),
    ("hook up", "connect"),
    ("how big", "size"),
    ("how far", "distance value"),
    ("look at", "look"),
    ("made of", "content"),
    ("turn on", "enable"),
    ("turn up", "raise value"),
    ("wire up", "connect"),
    ("set up", "setup"),
];

/// Words that stand behind what their verb is done to.
pub(super) static BEHIND: Words =
    LazyLock::new(|| "away back down off on out up".split_whitespace().collect());

/// What games are full of. It is what somebody has, and seldom what a tool is for.
pub(super) static THINGS: Words = LazyLock::new(|| {
    "ammo arm armor arrow ball barrel bat bird boat boss bow box bridge bullet car castle cat \
     cave chair character chest chimney cloud coin crate cube current currently damage dog door \
     dragon dungeon elevator enemy eye fire fish floor foot forest gate gem goblin grass ground \
     guard gun hair hand head health hero horse house hud inventory item knight ladder lake lamp \
     lantern logo monster moon npc orc pickup pistol plane platform player potion rifle river \
     rock rocket roof room score shield ship slime snow sphere stone sun sword table torch tower \
     train tree truck villager wall water weapon wheel window zombie"
        .split_whitespace()
        .collect()
});

/// Where people's things are, and seldom what a tool is for, behind one of the words of `WHERE`.
pub(super) static AROUND: Words = LazyLock::new(|| {
    "editor engine file game godot level project scene unity".split_whitespace().collect()
});

/// Words before the place of something.
pub(super) static WHERE: Words = LazyLock::new(|| {
    "at for from in inside into of on to under within".split_whitespace().collect()
});

/// What a file of a question is, by its ending. Its name says nothing about the tool.
pub(super) const KINDS: &[(&str, &[&str])] = &[
    ("script", &["gd", "cs"]),
    ("scene", &["tscn", "scn", "unity"]),
    ("resource", &["tres", "res"]),
    ("scriptableobject asset", &["asset"]),
    ("prefab", &["prefab"]),
    ("material", &["mat"]),
    ("shader", &["gdshader", "shader"]),
    ("texture", &["png", "jpg", "jpeg", "svg", "webp", "tga", "psd"]),
    ("sound", &["wav", "ogg", "mp3"]),
    ("model", &["fbx", "glb", "gltf", "obj"]),
    ("text file", &["txt", "json", "md", "cfg", "csv", "xml"]),
    ("assembly definition", &["asmdef"]),
    ("project setting", &["godot"]),
];

/// Words that ask for something to be told.
pub(super) static ASKING: Words = LazyLock::new(|| {
    "am any are browse check compare count describe did display do does dump enumerate explain \
     find get grep had has have how inspect is list locate look lookup measure print read report \
     search see show tell view was were what whats when where wheres which who whos whose why"
        .split_whitespace()
        .collect()
});

/// Words that tell to do something.
pub(super) static TELLING: Words = LazyLock::new(|| {
    "activate add adjust align anchor animate append apply assign attach axe bake bind blend bloat \
     boost boot brighten bring build bump call cap change chuck clamp clean clear clone close color \
     colour combine compose configure connect convert copy cover craft crank create cut darken \
     deactivate decrease define delete destroy detach dim disable disconnect ditch double download \
     draw drop duplicate edit emit enable enforce enlarge equip erase execute export expose extract \
     fade fill fit fix flip focus force freeze generate give glue group halve hide hook import \
     increase insert install instantiate intercept invert invoke join kick kill launch lay lengthen \
     let lighten limit link load lock loop lower make map mark mend merge migrate mirror modify mount \
     move mute name narrow nest new nudge nuke open optimise optimize override pack paint parent \
     paste patch pause place play plop point populate port prepare press publish push put quit raise \
     rebind recolor recolour record reduce refactor register remove rename reorder repair reparent \
     replace reposition reset resize restart restore revert rig rip rotate route run save scale scrap \
     send set setup share shift shorten shrink slap slice slot slow smooth snap soften sort spawn \
     speed spin split squash stack start stick stop store stretch strip stuff swap swing switch tag \
     take teleport thicken throw tidy tilt tint toggle toss trail transition translate trash trigger \
     turn tweak unassign uncheck undo unhook uninstall unlock unmute unparent unpause unwire update \
     upgrade use weld widen wipe wire wrap write zoom"
        .split_whitespace()
        .collect()
});

/// Words before what is asked for: `can you please …`, `how do I …`.
pub(super) static POLITE: Words = LazyLock::new(|| {
    "also and do help hey hi i id just lets like me need now ok okay please pls then to us want \
     we would you"
        .split_whitespace()
        .collect()
});

/// What people say for what a field holds: the words of fields, and behind them what is said.
pub(super) const FIELDS: &[&str] = &[
    "color: colour colours tint hue",
    "text: caption words string",
    "intensity energy: bright brighter brightness dim dimmer",
    "volume: loud louder quiet quieter loudness",
    "mass: heavy heavier weight",
    "speed: fast faster slow slower",
    "position: move teleport shift",
    "rotation: rotate angle turn orientation tilt",
    "scale size: big bigger small smaller resize enlarge shrink",
    "visible: hide hidden show invisible visibility",
    "active: disable enable deactivate activate inactive hide show",
    "enabled: disable enable deactivate activate",
    "disabled: disable enable",
    "flip: mirror",
    "h: horizontally horizontal",
    "shot: repeat once again",
    "v: vertically vertical",
    "loop looping: repeat",
    "sprite texture: picture image",
    "autoplay awake: automatically start",
    "font: typeface",
    "alignment: center centre align left right",
    "horizontal: horizontally",
    "vertical: vertically",
    "velocity: speed",
    "transparent alpha: transparency opacity opaque fade",
    "fov view: zoom",
    "mask layer: layers masks",
    "color modulate: recolor recolour colored coloured red green blue yellow orange purple pink white black gray grey crimson \
     cyan magenta brown teal turquoise golden violet",
    "intensity energy: dark darker lighter strength stronger weaker power glow",
    "drag damp damping friction: resistance slippery",
    "bounce bounciness: bouncy springy elastic",
    "pitch: deeper",
    "distance range: reach far farther further",
    "time wait: seconds interval delay duration",
    "order index: front behind above",
    "kinematic freeze: unmoving fixed",
    "mute volume: silence silent",
    "text: say says reads read",
    "width height size: wide wider narrow tall taller",
];

/// What people write short, and the words.
pub(super) const SHORT: &[(&str, &str)] = &[
    ("anim", "animation"),
    ("anims", "animations"),
    ("AO", "ambient occlusion"),
    ("bg", "background"),
    ("btn", "button"),
    ("cam", "camera"),
    ("cams", "cameras"),
    ("dir", "folder"),
    ("dupe", "duplicate"),
    ("env", "environment"),
    ("fn", "function"),
    ("FOV", "field of view"),
    ("fov", "field of view"),
    ("func", "function"),
    ("GO", "gameobject"),
    ("GOs", "gameobjects"),
    ("img", "image"),
    ("mats", "materials"),
    ("nav", "navigation"),
    ("params", "parameters"),
    ("pic", "picture"),
    ("pics", "pictures"),
    ("pos", "position"),
    ("RB", "rigidbody"),
    ("rb", "rigidbody"),
    ("RBs", "rigidbodies"),
    ("res", "resolution"),
    ("rot", "rotation"),
    ("SO", "scriptableobject"),
    ("SOs", "scriptableobjects"),
    ("tex", "texture"),
    ("vcam", "virtual camera"),
    ("vcams", "virtual cameras"),
    ("vol", "volume"),
];

/// Colours by name: to what something is set.
pub(super) static COLOURS: Words = LazyLock::new(|| {
    "beige black blue brown crimson cyan gold golden gray green grey indigo lime magenta maroon navy \
     olive orange pink purple red silver teal turquoise violet white yellow"
        .split_whitespace()
        .collect()
});

/// Words before what something is set to.
pub(super) static BEFORE_VALUE: Words =
    LazyLock::new(|| "= at be by equal equals to use value".split_whitespace().collect());

/// Words behind `make` where something is there already.
pub(super) static THERE: Words = LazyLock::new(|| {
    "all each every her his it its my our that the their them these this those"
        .split_whitespace()
        .collect()
});

/// Words that are about many objects.
pub(super) static MANY: Words = LazyLock::new(|| {
    "all any count each every everything everywhere find gameobjects list many nodes objects where \
     wheres which who whose"
        .split_whitespace()
        .collect()
});

/// Verbs that make something new.
pub(super) static MAKING: Words = LazyLock::new(|| {
    "add append attach chuck compose craft create define equip generate import insert instance \
     instantiate introduce make mount new place plop produce put slap slot spawn stick stuff write"
        .split_whitespace()
        .collect()
});

/// Verbs that take something away.
pub(super) static REMOVING: Words = LazyLock::new(|| {
    "axe clear delete destroy detach discard disconnect ditch drop erase kill nuke purge remove rip \
     scrap strip toss trash unassign uninstall unpack uproot wipe"
        .split_whitespace()
        .collect()
});

/// Verbs that change what is there.
pub(super) static CHANGING: Words = LazyLock::new(|| {
    "activate adjust align alter assign boost brighten bump cap center centre change clamp configure \
     crank darken deactivate decrease dim disable double edit enable enlarge fade flip freeze halve \
     hide increase invert lengthen lighten limit lock loop lower mirror modify move mute narrow nudge \
     override raise recolor recolour reduce reset resize rotate scale set shorten shrink slow soften \
     speed squash stretch switch thicken tilt tint toggle turn tweak unlock unmute update widen zoom"
        .split_whitespace()
        .collect()
});

/// Words for what a class has.
pub(super) static MEMBERS: Words = LazyLock::new(|| {
    "api class constant constants doc documentation docs enum enums function functions method methods \
     properties signal signals"
        .split_whitespace()
        .collect()
});
