//! What Unity makes of scripts: main classes, saved fields, bases over several files.

use std::fs;

use super::*;

/// Files given as one text, each under a `//- name.cs` line, with their names.
fn files(text: &str) -> Vec<(String, ScriptFile)> {
    let files = scenewright_fixture::files(text);
    files.map(|(name, source)| (name.trim_end_matches(".cs").to_owned(), parse(source))).collect()
}

/// Checks the main class of every file and what Unity saves of it.
fn check_files(text: &str, expected: Expect) {
    expected.assert_eq(&show_files(&files(text)));
}

fn show_files(files: &[(String, ScriptFile)]) -> String {
    let set = ScriptSet::new(files.iter().map(|(_, file)| file));
    let mut out = String::new();
    for (name, file) in files {
        let Some(main) = set.main_type(file, name) else {
            writeln!(out, "{name}: none").unwrap();
            continue;
        };
        writeln!(out, "{name}: {} {:?} {:?}", main.ty.decl.full_name(), main.rule, main.base)
            .unwrap();
        let saved = set.all_serialized_fields(main.ty);
        for f in &saved.fields {
            let mut extra = String::new();
            for (word, text) in [("header", &f.header), ("tooltip", &f.tooltip), ("min", &f.min)] {
                extra += &text.iter().map(|text| format!(" {word}={text:?}")).collect::<String>();
            }
            extra += &f
                .range
                .iter()
                .map(|(low, high)| format!(" range={low}..{high}"))
                .collect::<String>();
            extra += if f.hidden { " hidden" } else { "" };
            extra += &f.former_names.iter().map(|old| format!(" was {old}")).collect::<String>();
            writeln!(out, "  {} {}: {:?} {:?}{extra}", f.line, f.key, f.collection, f.kind)
                .unwrap();
        }
        for LeftOut { name, reason, line } in &saved.left_out {
            writeln!(out, "  {line} not {name}: {reason}").unwrap();
        }
        for m in main.ty.decl.methods.iter().filter(|m| is_message(m, &main.base)) {
            writeln!(out, "  {} calls {}", m.about.line, m.name).unwrap();
        }
    }
    out
}

#[test]
fn knows_what_unity_saves() {
    check_files(
        r#"
//- A.cs
using System; using System.Collections.Generic; using UnityEngine; using UnityEngine.Serialization;
class A : MonoBehaviour {
    public int a; int b; [SerializeField] private float c; protected string d;
    public static int s; public const int k = 1; public readonly int r; [SerializeField] static int s2;
    [NonSerialized] public int n; [System.NonSerialized] public int n2;
    [HideInInspector, FormerlySerializedAs("old"), FormerlySerializedAs(nameof(b))] public List<Vector3> v;
    [Header("H"), Tooltip("T \"x\""), Range(0f, 1.5f)] public double e;
    [Min(0)] [SerializeField] GameObject[] objects;
    public Dictionary<string, int> map; public int[,] grid; public int[][] jagged; public List<List<int>> lists;
    public int? maybe; public Action act; public object any; public (int, int) pair;
    public Kind kind; public Big big; public Data data; public Plain plain; public IThing thing; public Abs abs; public List<Data> datas;
    public Elsewhere other; public UnityEngine.UI.Image image; public UnityEngine.Object o; public System.Object so;
    [SerializeReference] public IThing managed; [SerializeReference] List<Abs> many; [SerializeReference] Camera wrong;
    [field: SerializeField] public int Prop { get; private set; } = 3;
    [field: SerializeField, FormerlySerializedAs("p")] public int Get { get; }
    [field: FormerlySerializedAs("x"), SerializeField] public Data Old { get; set; }
    public int Plain2 { get; set; }
    enum Kind { X } enum Big : long { X }
    [Serializable] struct Data { public int x; }
    class Plain { } interface IThing { } [Serializable] abstract class Abs { }
}
"#,
        expect![[r#"
            A: A FileName MonoBehaviour
              3 a: One Primitive
              3 c: One Primitive
              6 v: List EngineValue hidden was old was b
              7 e: One Primitive header="H" tooltip="T \"x\"" range=0f..1.5f
              8 objects: Array Object min="0"
              11 kind: One Enum
              11 data: One Nested
              11 datas: List Nested
              12 other: One Unknown
              12 image: One Object
              12 o: One Object
              13 managed: One ManagedReference
              13 many: List ManagedReference
              14 <Prop>k__BackingField: One Primitive
              16 <Old>k__BackingField: One Nested was x
              4 not s2: static
              9 not map: a type that Unity never saves
              9 not grid: an array of more than one dimension
              9 not jagged: a collection of collections
              9 not lists: a collection of collections
              10 not maybe: a nullable value
              10 not act: a type that Unity never saves
              10 not any: a type that Unity never saves
              10 not pair: a tuple
              11 not big: an enum of 64 bits
              11 not plain: a class without [Serializable]
              11 not thing: an interface without [SerializeReference]
              11 not abs: an abstract class without [SerializeReference]
              12 not so: a type that Unity never saves
              13 not wrong: [SerializeReference] on an object reference
              15 not Get: a property without `set`
        "#]],
    );
}

#[test]
fn the_class_of_a_file_has_its_name() {
    check_files(
        r#"
//- Named.cs
namespace N { class Other : MonoBehaviour { } class Named : ScriptableObject { } }
//- Renamed.cs
class Single : MonoBehaviour { } static class Helpers { } class Plain { }
//- Several.cs
class One : MonoBehaviour { } class Two : MonoBehaviour { }
//- Generic.cs
class Generic<T> : MonoBehaviour { }
//- Helper.cs
static class Helper { }
//- Single.Part.cs
partial class Many : MonoBehaviour { }
//- Empty.cs
"#,
        expect![[r#"
            Named: N.Named FileName ScriptableObject
            Renamed: Single OnlyCandidate MonoBehaviour
            Several: none
            Generic: none
            Helper: Helper FileName None
            Single.Part: none
            Empty: none
        "#]],
    );
}

#[test]
fn follows_bases_through_files() {
    check_files(
        r#"
//- Enemy.cs
using Game.Core;
namespace Game { class Enemy : Actor<Enemy>, IHit { public int damage; public Enemy target; public Wave wave; } }
//- Actor.cs
namespace Game.Core { abstract class Actor<T> : Singleton where T : class { public int health; public T self; } }
//- Singleton.cs
namespace Game.Core { class Singleton : UnityEngine.MonoBehaviour { protected virtual void Awake() { } } }
//- Wave.cs
[System.Serializable] class Wave : IHit { public int count; }
//- Tool.cs
class Tool : Editor { public override void OnInspectorGUI() { } }
//- Window.cs
using UnityEditor; class Window : EditorWindow { void OnGUI() { } void Update() { } void Start() { } }
//- State.cs
class State : StateMachineBehaviour { override public void OnStateEnter(Animator a, AnimatorStateInfo i, int l) { } }
//- Fancy.cs
class Fancy : Button { } 
//- Far.cs
class Far : SomeLibraryClass { void Start() { } void Start(int x) { } static void Update() { } void OnTriggerEnter(UnityEngine.Collider c) { } }
//- Round.cs
class Round : Trip { } class Trip : Round { }
//- Alias.cs
using B = Game.Core.Singleton; class Alias : B { }
//- Record.cs
record Record : MonoBehaviour;
"#,
        expect![[r#"
            Enemy: Game.Enemy FileName MonoBehaviour
              1 health: One Primitive
              1 self: One Unknown
              2 damage: One Primitive
              2 target: One Object
              2 wave: One Nested
            Actor: none
            Singleton: Game.Core.Singleton FileName MonoBehaviour
              1 calls Awake
            Wave: Wave FileName None
              1 count: One Primitive
            Tool: Tool FileName Editor
              1 calls OnInspectorGUI
            Window: Window FileName EditorWindow
              1 calls OnGUI
              1 calls Update
            State: State FileName StateMachineBehaviour
              1 calls OnStateEnter
            Fancy: Fancy FileName MonoBehaviour
            Far: Far FileName Unknown("SomeLibraryClass")
              1 calls Start
              1 calls OnTriggerEnter
            Round: Round FileName Unknown("Round")
            Alias: Alias FileName MonoBehaviour
            Record: Record FileName MonoBehaviour
        "#]],
    );
}

#[test]
fn joins_partial_classes() {
    check_files(
        r#"
//- Player.cs
namespace G { public partial class Player { public int a; [SerializeField] Stats stats; } }
//- Player.Input.cs
namespace G { public partial class Player : MonoBehaviour { public int b; void Start() { } [System.Serializable] class Stats { } } }
"#,
        expect![[r#"
            Player: G.Player FileName MonoBehaviour
              1 a: One Primitive
              1 stats: One Nested
              1 b: One Primitive
            Player.Input: none
        "#]],
    );
}

#[test]
fn reads_the_sample_project() {
    let folder = scenewright_fixture::sample("unity").join("Assets/Scripts");
    let mut files: Vec<(String, ScriptFile)> = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|e| e == "cs") {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            files.push((name, parse_bytes(&fs::read(path).unwrap())));
        }
    }
    files.sort_by(|a, b| a.0.cmp(&b.0));
    assert!(files.iter().all(|(_, file)| file.problems.is_empty()));
    expect![[r#"
        Collectible: LanternKeep.Collectible FileName MonoBehaviour
          16 kind: One Enum
          17 value: One Primitive min="0"
          20 lantern: One Object tooltip="Lit when this is collected. May be empty."
          21 onCollected: One EngineValue
          25 calls OnTriggerEnter
        GameState: LanternKeep.GameState FileName None
        LanternFlicker: LanternKeep.LanternFlicker FileName MonoBehaviour
          15 flameLight: One Object
          16 settings: One Object
          17 style: One Enum
          18 startsLit: One Primitive
          21 flickerOffset: One Primitive tooltip="Shifts the flicker in time, so that neighbours do not pulse together." range=0f..1f
          24 pulseWeights: Array Primitive tooltip="Brightness at the points of one cycle."
          30 calls Awake
          36 calls Update
        LanternSettings: LanternKeep.LanternSettings FileName ScriptableObject
          18 flickerSpeed: One Primitive min="0f"
          19 tint: One EngineValue
          20 displayName: One String
          23 burnTimes: Array Primitive tooltip="Seconds until the flame shrinks, for each size of wick."
          25 fuel: One Nested
        PlayerController: LanternKeep.PlayerController FileName MonoBehaviour
          18 moveSpeed: One Primitive header="Movement" range=0f..20f
          19 jumpForce: One Primitive
          20 startMode: One Enum
          21 groundMask: One EngineValue
          25 maxHealth: One Primitive header="Health" tooltip="Health after a respawn, and the most that Heal can restore to."
          29 spawnPoint: One Object header="References" tooltip="Where Respawn moves the player. Empty means the position at start."
          30 heldLantern: One Object
          31 onRespawned: One EngineValue
          41 calls Awake
          50 calls FixedUpdate
    "#]].assert_eq(&show_files(&files));
}

#[test]
fn outlines_a_file() {
    let files = files(
        "//- Door.cs\nusing UnityEngine;\nnamespace G\n{\n    /// <summary>Opens.</summary>\n    public class Door : MonoBehaviour, IOpen\n    {\n        public int locks = 2;\n        public bool IsOpen { get; private set; }\n        void Start() { }\n        public bool Open(string key = \"\") => true;\n        enum Side { Left, Right }\n    }\n}\n",
    );
    let set = ScriptSet::new(files.iter().map(|(_, file)| file));
    expect![[r#"
        ScriptOutline {
            namespace: "G",
            main: Some(
                (
                    "G.Door",
                    FileName,
                ),
            ),
            usings: [
                Using {
                    name: "UnityEngine",
                    alias: None,
                    is_static: false,
                    within: "",
                },
            ],
            types: [
                OutlineType {
                    name: "Door",
                    namespace: "G",
                    kind: Class,
                    base_class: Some(
                        "MonoBehaviour",
                    ),
                    interfaces: [
                        "IOpen",
                    ],
                    access: "public",
                    summary: Some(
                        "Opens.",
                    ),
                    unity_base: MonoBehaviour,
                    lines: (
                        5,
                        12,
                    ),
                    methods: [
                        OutlineMethod {
                            name: "Start",
                            returns: "void",
                            parameters: [],
                            access: "private",
                            is_message: true,
                            line: 9,
                        },
                        OutlineMethod {
                            name: "Open",
                            returns: "bool",
                            parameters: [
                                Parameter {
                                    name: "key",
                                    ty: "string",
                                    modifiers: "",
                                    default: Some(
                                        "\"\"",
                                    ),
                                },
                            ],
                            access: "public",
                            is_message: false,
                            line: 10,
                        },
                    ],
                    properties: [
                        OutlineProperty {
                            name: "IsOpen",
                            ty: "bool",
                            access: "public",
                            accessors: "get; private set;",
                            line: 8,
                        },
                    ],
                    fields: [
                        OutlineField {
                            name: "locks",
                            ty: "int",
                            access: "public",
                            initializer: Some(
                                "2",
                            ),
                            line: 7,
                        },
                    ],
                    events: [],
                    enum_members: [],
                    serialized: SerializedFields {
                        fields: [
                            SerializedField {
                                key: "locks",
                                name: "locks",
                                ty: "int",
                                collection: One,
                                kind: Primitive,
                                former_names: [],
                                header: None,
                                tooltip: None,
                                range: None,
                                min: None,
                                hidden: false,
                                initializer: Some(
                                    "2",
                                ),
                                condition: None,
                                declared_in: "G.Door",
                                line: 7,
                            },
                        ],
                        left_out: [],
                    },
                },
                OutlineType {
                    name: "Door.Side",
                    namespace: "G",
                    kind: Enum,
                    base_class: None,
                    interfaces: [],
                    access: "private",
                    summary: None,
                    unity_base: None,
                    lines: (
                        11,
                        11,
                    ),
                    methods: [],
                    properties: [],
                    fields: [],
                    events: [],
                    enum_members: [
                        (
                            "Left",
                            Some(
                                0,
                            ),
                        ),
                        (
                            "Right",
                            Some(
                                1,
                            ),
                        ),
                    ],
                    serialized: SerializedFields {
                        fields: [],
                        left_out: [],
                    },
                },
            ],
            problems: [],
        }
    "#]]
    .assert_debug_eq(&set.outline(&files[0].1, "Door"));
}
