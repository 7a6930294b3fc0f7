//! What the prompts say.

use scenewright_contract::prompt::{PromptArgument, PromptInfo};

use super::{GodotPrompt, Shows};

const fn needed(name: &'static str, description: &'static str) -> PromptArgument {
    PromptArgument { name, description, required: true }
}

const fn free(name: &'static str, description: &'static str) -> PromptArgument {
    PromptArgument { name, description, required: false }
}

const fn info(
    name: &'static str,
    title: &'static str,
    description: &'static str,
    arguments: &'static [PromptArgument],
) -> PromptInfo {
    PromptInfo { name, title, description, arguments }
}

const DIMENSIONS: &[&str] = &["2D", "3D"];
const IS_3D: PromptArgument = free("is3D", "true for three dimensions; two by default");
const TRUTH: &[&str] = &["false", "true"];
const PROJECT: PromptArgument = needed("projectPath", "Id or folder of the project");
const SCENE: PromptArgument = needed("scenePath", "The scene, as a path from the project's root");
const GAME: PromptArgument = needed("projectName", "What the game is called");

/// Every prompt for Godot projects.
pub(crate) static PROMPTS: [GodotPrompt; 20] = [
    GodotPrompt {
        info: info(
            "create_character_controller",
            "Character controller",
            "A character that the player steers, with the input actions of the project",
            &[
                needed("type", "platformer, topdown, fps, third_person or vehicle"),
                free("features", "What it can do besides: dash, wall jump, crouch"),
            ],
        ),
        shows: Shows::Facts,
        classes: &["CharacterBody2D", "CharacterBody3D", "CollisionShape2D", "CollisionShape3D"],
        task: "Build a character controller of the kind: {type}. It also has: {features|nothing \
               beyond moving and, where the kind has it, jumping}. Make one scene with a body, a \
               collision shape and something to see, and one script. Move in _physics_process with \
               move_and_slide, take speeds and heights from exported properties with units, and \
               name every input action that the project lacks with the keys you would give it.",
        choices: &[("type", &["platformer", "topdown", "fps", "third_person", "vehicle"])],
    },
    GodotPrompt {
        info: info(
            "create_enemy_ai",
            "Enemy",
            "An enemy with a behaviour, as states that can be told apart",
            &[
                needed("behavior", "patrol, chase, flee or boss"),
                free("type", "2D or 3D; what the project uses by default"),
            ],
        ),
        shows: Shows::Facts,
        classes: &["CharacterBody2D", "NavigationAgent2D", "NavigationAgent3D", "RayCast2D"],
        task: "Build an enemy whose behaviour is: {behavior}. Dimensions: {type|those of the main \
               scene}. Write the behaviour as a few states with what ends each of them, and decide \
               how it notices the player: by group, by area or by ray. Use navigation only if a \
               scene has a region for it. Damage and death are signals, so that the enemy knows \
               neither the player nor the score.",
        choices: &[("behavior", &["patrol", "chase", "flee", "boss"]), ("type", DIMENSIONS)],
    },
    GodotPrompt {
        info: info(
            "create_npc",
            "Character to talk to",
            "A character that the player can meet and talk to",
            &[needed("npcType", "shopkeeper, quest_giver, villager or guard"), IS_3D],
        ),
        shows: Shows::Facts,
        classes: &["Area2D", "Area3D", "AnimationPlayer"],
        task: "Build a character that the player meets: {npcType}. Three dimensions: {is3D|false}. \
               It notices the player through an area, shows that it can be talked to, and starts a \
               conversation on an input action. Keep what it says in a resource of its own class, \
               so that texts change without code, and let a signal tell what was decided.",
        choices: &[
            ("npcType", &["shopkeeper", "quest_giver", "villager", "guard"]),
            ("is3D", TRUTH),
        ],
    },
    GodotPrompt {
        info: info(
            "create_collectible",
            "Thing to collect",
            "Something that the player picks up",
            &[needed("itemType", "coin, health, powerup, key or ammo"), IS_3D],
        ),
        shows: Shows::Facts,
        classes: &["Area2D", "Area3D"],
        task: "Build something to collect: {itemType}. Three dimensions: {is3D|false}. An area finds \
               the player by layer or group; the item counts once even if two bodies touch it in \
               the same frame, plays its effect, and leaves when the effect has ended. What it is \
               worth is exported; who keeps the count hears of it by a signal or through the \
               autoload that the project has for it.",
        choices: &[("itemType", &["coin", "health", "powerup", "key", "ammo"]), ("is3D", TRUTH)],
    },
    GodotPrompt {
        info: info(
            "create_projectile",
            "Projectile",
            "Something that is shot or thrown",
            &[needed("projectileType", "bullet, rocket, arrow, magic or grenade"), IS_3D],
        ),
        shows: Shows::Facts,
        classes: &["Area2D", "Area3D", "RigidBody2D", "RigidBody3D", "RayCast2D"],
        task: "Build a projectile: {projectileType}. Three dimensions: {is3D|false}. Choose between \
               an area, a rigid body and a ray, and say why. Fast ones must not pass through walls; \
               every one ends after a time or a distance; whoever shot it is not hit. Show the \
               scene of the projectile and the few lines that shoot it.",
        choices: &[
            ("projectileType", &["bullet", "rocket", "arrow", "magic", "grenade"]),
            ("is3D", TRUTH),
        ],
    },
    GodotPrompt {
        info: info(
            "scaffold_platformer",
            "Platform game",
            "The first playable version of a platform game",
            &[GAME, free("features", "What it has besides running and jumping")],
        ),
        shows: Shows::Facts,
        classes: &["CharacterBody2D", "TileMapLayer", "Camera2D"],
        task: "Lay out a platform game called {projectName}, with: {features|running, jumping and a \
               goal}. Start from what the project has, and list first which scenes, scripts, \
               autoloads, input actions and layers are missing. Then make the smallest playable \
               version: a level of tiles, a player with a camera that follows, a way to fail and a \
               way to win.",
        choices: &[],
    },
    GodotPrompt {
        info: info(
            "scaffold_topdown",
            "Top-down game",
            "The first playable version of a game seen from above",
            &[GAME, free("features", "What it has besides walking")],
        ),
        shows: Shows::Facts,
        classes: &["CharacterBody2D", "TileMapLayer", "NavigationRegion2D", "Camera2D"],
        task: "Lay out a game seen from above, called {projectName}, with: {features|walking, rooms \
               and doors}. Start from what the project has and list what is missing. Then make the \
               smallest playable version: two rooms, a player that walks in eight directions at one \
               speed, sorting by height where things overlap, and a door between the rooms.",
        choices: &[],
    },
    GodotPrompt {
        info: info(
            "scaffold_fps",
            "First-person game",
            "The first playable version of a game seen through the eyes of the player",
            &[GAME, free("features", "What it has besides walking and looking")],
        ),
        shows: Shows::Facts,
        classes: &["CharacterBody3D", "Camera3D", "RayCast3D", "WorldEnvironment"],
        task: "Lay out a first-person game called {projectName}, with: {features|walking, looking \
               and using things}. Start from what the project has and list what is missing. Then \
               make the smallest playable version: a room with light and collision, a body whose \
               camera looks with the mouse and cannot roll over, and a ray that finds what can be \
               used. An input action captures the mouse and sets it free.",
        choices: &[],
    },
    GodotPrompt {
        info: info(
            "scaffold_puzzle",
            "Puzzle game",
            "The first playable version of a puzzle game",
            &[GAME, free("puzzleType", "match3, sokoban, sliding, physics or word")],
        ),
        shows: Shows::Facts,
        classes: &["GridContainer", "TileMapLayer", "Tween"],
        task: "Lay out a puzzle game called {projectName} of the kind: {puzzleType|pushing boxes}. \
               Keep the rules in a class without nodes, which can be tested and undone, and let \
               scenes only show it. Start from what the project has, then make the smallest \
               playable version: one level read from a text or a resource, undo, and a way to know \
               that it is solved.",
        choices: &[("puzzleType", &["match3", "sokoban", "sliding", "physics", "word"])],
    },
    GodotPrompt {
        info: info(
            "scaffold_ui_system",
            "User interface",
            "Menus and screens that belong together",
            &[GAME, free("components", "Which screens: main menu, pause, settings, hud")],
        ),
        shows: Shows::Facts,
        classes: &["MarginContainer", "Button", "CanvasLayer"],
        task: "Lay out the user interface of {projectName} with these screens: {components|a main \
               menu, a pause menu, settings and a display in the game}. One theme styles all of \
               them. Lay out with containers and anchors, so that every window size works, give \
               each screen a first control to focus, so that it works without a mouse, and let one \
               node decide which screen is shown.",
        choices: &[],
    },
    GodotPrompt {
        info: info(
            "create_ui_component",
            "Part of the interface",
            "One part of the interface that can be used again",
            &[
                needed("componentType", "health_bar, inventory, dialog, menu, tooltip or minimap"),
                free("style", "How it looks; the project's theme by default"),
            ],
        ),
        shows: Shows::Facts,
        classes: &["TextureProgressBar", "RichTextLabel", "PanelContainer"],
        task: "Build a part of the interface: {componentType}. It looks like: {style|the project's \
               theme}. It is one scene with exported properties for what it shows and signals for \
               what the player does with it; it asks nothing of the rest of the game. Show how one \
               line of game code fills it.",
        choices: &[(
            "componentType",
            &["health_bar", "inventory", "dialog", "menu", "tooltip", "minimap"],
        )],
    },
    GodotPrompt {
        info: info(
            "setup_multiplayer",
            "Multiplayer",
            "Play over the network",
            &[
                needed("architecture", "client_server, peer_to_peer or dedicated_server"),
                free("features", "What is shared: movement, chat, lobby"),
            ],
        ),
        shows: Shows::Facts,
        classes: &["MultiplayerSpawner", "MultiplayerSynchronizer", "ENetMultiplayerPeer"],
        task: "Let the game be played over the network as: {architecture}. What is shared: \
               {features|joining, leaving and where the players are}. Say for every piece of state \
               who decides it. Use spawners and synchronizers for what exists and where it is, and \
               remote calls for what happens; check on the deciding side that the caller may ask \
               for it. Say how to try it with two windows on one machine.",
        choices: &[("architecture", &["client_server", "peer_to_peer", "dedicated_server"])],
    },
    GodotPrompt {
        info: info(
            "debug_script",
            "Find a bug in a script",
            "Why a script does not do what it should",
            &[
                needed("scriptPath", "The script, as a path from the project's root"),
                free("errorMessage", "What Godot said, or what goes wrong"),
            ],
        ),
        shows: Shows::Script,
        classes: &[],
        task: "Find out what is wrong with the script `{scriptPath}`. What was seen: \
               {errorMessage|nothing yet: look for what will fail}. Read the script and those it \
               extends, and the scenes that use it: node paths, exported properties and connections \
               must fit. Name the line, explain the cause in one sentence, and give the smallest \
               change that cures it. Do not rewrite what works.",
        choices: &[],
    },
    GodotPrompt {
        info: info(
            "debug_physics",
            "Find a bug in physics",
            "Why things do not collide, or do what they should not",
            &[
                SCENE,
                free("issue", "What goes wrong: falls through, no collision, jitter"),
                free("nodePath", "The node that it is about"),
            ],
        ),
        shows: Shows::Scene,
        classes: &["CollisionObject2D", "CollisionObject3D"],
        task: "Find out what is wrong with the physics of `{scenePath}`. What was seen: \
               {issue|nothing in particular}. The node in question: {nodePath|any}. Check in this \
               order: does every body and area have a shape, do layers and masks meet, is anything \
               scaled unevenly, is movement done in _physics_process, is a body moved by setting \
               its position. Tell what you found with the node and the property.",
        choices: &[("issue", &["falls through", "jitter", "no collision", "sticks to walls"])],
    },
    GodotPrompt {
        info: info(
            "debug_performance",
            "Find what is slow",
            "Why a scene runs slowly",
            &[SCENE, free("focus", "rendering, scripts, physics or memory")],
        ),
        shows: Shows::Scene,
        classes: &[],
        task: "Find out what makes `{scenePath}` slow. Look at: {focus|everything}. Count what \
               costs: nodes with _process, lights with shadows, particles, transparent layers, \
               bodies, resources that are loaded while playing. Say for each suspicion how to \
               measure it with the profiler and the monitors before anything is changed, then rank \
               them.",
        choices: &[("focus", &["rendering", "scripts", "physics", "memory"])],
    },
    GodotPrompt {
        info: info(
            "optimize_scene",
            "Make a scene lighter",
            "What can be left out of a scene or be shared",
            &[SCENE],
        ),
        shows: Shows::Scene,
        classes: &[],
        task: "Make the scene `{scenePath}` lighter without changing what it does. Look for nodes \
               that only group, things that repeat and should be one instanced scene or a \
               MultiMesh, materials and shapes that could be shared, nodes that process while \
               nobody sees them, and resources that are declared and unused. Give one change a \
               line, the safest first, with what it saves.",
        choices: &[],
    },
    GodotPrompt {
        info: info(
            "create_shader",
            "Shader",
            "A shader for an effect",
            &[
                needed("effect", "outline, dissolve, water, fire or glow"),
                free("target", "canvas_item, spatial or particles"),
            ],
        ),
        shows: Shows::Facts,
        classes: &["ShaderMaterial"],
        task: "Write a shader for the effect: {effect}. It is for: {target|canvas_item}. Use the \
               built-ins that this kind of shader has in this version and renderer, give every \
               uniform a hint and a default that looks right at once, and avoid branches that \
               depend on the pixel. Show the .gdshader file and how a material with it is set on a \
               node.",
        choices: &[
            ("effect", &["outline", "dissolve", "water", "fire", "glow"]),
            ("target", &["canvas_item", "spatial", "particles"]),
        ],
    },
    GodotPrompt {
        info: info(
            "convert_3to4",
            "From Godot 3 to 4",
            "Plan and do the way from Godot 3 to Godot 4",
            &[PROJECT, free("focus", "scripts, scenes, shaders or physics")],
        ),
        shows: Shows::Problems,
        classes: &[],
        task: "Bring the project from Godot 3 to Godot 4. Look at: {focus|everything}. Start with a \
               copy under version control and Godot's own converter, then go through what it \
               leaves: renamed classes and methods, yield that became await, export and onready \
               that became annotations, tile maps, physics that moved from arguments to properties, \
               tweens, and signals as objects. Work from the findings below, file by file.",
        choices: &[("focus", &["scripts", "scenes", "shaders", "physics"])],
    },
    GodotPrompt {
        info: info(
            "refactor_scene",
            "Take a scene apart",
            "Change how a scene is built without changing what it does",
            &[
                SCENE,
                free("action", "extract, flatten, rename or decouple"),
                free("nodePath", "The node that it is about"),
                free("signal", "A signal of that node that should do the work of direct calls"),
            ],
        ),
        shows: Shows::Scene,
        classes: &[],
        task: "Change how the scene `{scenePath}` is built: {action|find out what would help most}. \
               It is about: {nodePath|the whole scene}. Signals to build on: {signal|those that are \
               there}. What the scene does stays the same. List what names a node that moves: \
               connections, exported paths, animation tracks, `$Path` and `%Name` in scripts, and \
               scenes that inherit or override. Then give the steps, each of which leaves the scene \
               working.",
        choices: &[("action", &["extract", "flatten", "rename", "decouple"])],
    },
    GodotPrompt {
        info: info(
            "analyze_project",
            "Judge a project",
            "How a project is built, and what to do about it",
            &[PROJECT, free("focus", "architecture, performance, quality or security")],
        ),
        shows: Shows::Problems,
        classes: &[],
        task: "Judge how this project is built. Look at: {focus|everything}. Say what kind of game \
               it is and how its scenes, autoloads and classes hang together, with the three things \
               that are done well and the three that will hurt first. Base each on files that you \
               have read, and name them. Finish with what to do, the most useful first.",
        choices: &[("focus", &["architecture", "performance", "quality", "security"])],
    },
];
