//! Fields of scripts by the types that sources declare, wherever those are.

use serde_json::{Value, json};

/// A component of a script with what the file has of it, and other sources.
pub(super) fn project(script: &str, fields: &str, others: &[(&str, &str)]) -> String {
    let mut project = format!(
        "//- ProjectSettings/ProjectVersion.txt\nm_EditorVersion: 2022.3.20f1\n\
         //- Assets/Guard.cs\nusing UnityEngine;\n{script}\n\
         //- Assets/Guard.cs.meta\nguid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\n\
         //- Assets/S.unity\n%YAML 1.1\n--- !u!1 &1\nGameObject:\n  m_Component:\n  \
         - component: {{fileID: 2}}\n  - component: {{fileID: 3}}\n  m_Name: Knight\n\
         --- !u!4 &2\nTransform:\n  m_GameObject: {{fileID: 1}}\n  m_Father: {{fileID: 0}}\n\
         --- !u!114 &3\nMonoBehaviour:\n  m_GameObject: {{fileID: 1}}\n  m_Enabled: 1\n  \
         m_Script: {{fileID: 11500000, guid: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa, type: 3}}\n  \
         m_Name: \n  m_EditorClassIdentifier: \n{fields}\
         //- Assets/S.unity.meta\nguid: bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb\n"
    );
    for (at, (path, text)) in others.iter().enumerate() {
        project += &format!("//- {path}\n{text}\n//- {path}.meta\nguid: {:032x}\n", at + 0xc0);
    }
    project
}

/// The lines that setting a field adds, or why it is refused.
pub(super) fn set(project: &str, field: &str, value: &Value) -> String {
    let change = json!({ "op": "set", "object": "Knight", "component": "Guard", "field": field, "value": value });
    let input = json!({ "path": "Assets/S.unity", "changes": [change], "dryRun": true });
    match crate::testing::call_project(project, "unity.edit", input) {
        Ok(outcome) => {
            let diff = outcome.output["changes"][0]["diff"].as_str().unwrap_or_default().to_owned();
            let lines = diff.lines().skip(2).filter_map(|line| line.strip_prefix('+'));
            lines.map(str::trim).collect::<Vec<_>>().join("; ")
        }
        Err(error) => {
            let (_, why) = error.message.split_once("Knight: ").unwrap_or(("", &error.message));
            format!("{why} ({})", error.hint.as_deref().unwrap_or_default())
        }
    }
}

#[test]
fn an_enum_in_a_file_of_another_name_has_its_members() {
    let others = [("Assets/Quality.cs", "public enum Method { Simple, Pragmatic }")];
    let project = project(
        "public class Guard : MonoBehaviour { public Method method; }",
        "  method: 0\n",
        &others,
    );
    assert_eq!(set(&project, "method", &json!("Pragmatic")), "method: 1");
    assert!(set(&project, "method", &json!("Nope")).contains("one of Simple, Pragmatic"));
}

#[test]
fn types_of_far_objects_leave_room_for_near_ones() {
    let many = (0..200).map(|at| format!("public T{at} f{at};")).collect::<String>();
    let mut others = vec![
        ("Assets/Hub.cs".to_owned(), format!("public class Hub : MonoBehaviour {{ {many} }}")),
        ("Assets/Mode.cs".to_owned(), "public enum Mode { Off, On }".to_owned()),
    ];
    others.extend((0..200).map(|at| {
        (format!("Assets/T{at}.cs"), format!("[System.Serializable] public class T{at} {{}}"))
    }));
    let others: Vec<(&str, &str)> =
        others.iter().map(|(path, text)| (path.as_str(), text.as_str())).collect();
    let script = "public class Guard : Hub { public Mode mode; }";
    let project = project(script, "  mode: 0\n", &others);
    assert_eq!(set(&project, "mode", &json!("On")), "mode: 1");
}

#[test]
fn a_name_is_not_written_where_the_type_is_not_known() {
    let script = "public class Guard : MonoBehaviour { public Lost.Mode mode, other; }";
    let project = project(script, "  mode: 2\n", &[]);
    let number = "the type of the field is not known here; the file has a number";
    assert!(set(&project, "mode", &json!("On")).starts_with(number));
    assert_eq!(set(&project, "mode", &json!("3")), "mode: 3");
    let nothing = "the type of the field is not known here; the file has no value of it yet";
    assert!(set(&project, "other", &json!("Assets/A.asset")).starts_with(nothing));
}

#[test]
fn members_of_enums_that_are_computed_have_numbers() {
    let script = "public enum Row { Low = 'a', Next, All = ~0, Sum = Low + 2 }\n\
                  public class Guard : MonoBehaviour { public Row row; }";
    let project = project(script, "  row: 0\n", &[]);
    assert_eq!(set(&project, "row", &json!("Next")), "row: 98");
    assert_eq!(set(&project, "row", &json!("All")), "row: -1");
    assert_eq!(set(&project, "row", &json!("Sum")), "row: 99");
}

#[test]
fn a_name_that_is_not_saved_sets_no_field_inside_another() {
    let script = "[System.Serializable] public class Inner { public int s; }\n\
                  public class Guard : MonoBehaviour { public static int S; public Inner inner; }";
    let project = project(script, "  inner:\n    s: 0\n", &[]);
    let why = "has no field S (did you mean inner.s?)";
    assert!(set(&project, "S", &json!(1)).ends_with(why), "{}", set(&project, "S", &json!(1)));
    assert_eq!(set(&project, "inner.s", &json!(1)), "s: 1");
}

#[test]
fn values_that_a_field_cannot_hold_are_not_changed_into_others() {
    let script = "public enum Small : byte { A, B }\n\
                  public class Guard : MonoBehaviour { public Vector2[] points; public Vector2Int cell; \
                  public float speed; public Small small; public Quaternion turn; }";
    let fields = "  points: []\n  cell: {x: 0, y: 0}\n  speed: 0\n  small: 0\n  turn: {x: 0, y: 0, z: 0, w: 1}\n";
    let project = project(script, fields, &[]);
    assert_eq!(set(&project, "points", &json!([{ "x": 1 }])), "points:; - {x: 1, y: 0}");
    assert!(set(&project, "cell", &json!([1.5, 2])).contains("the field takes [x, y]"));
    assert!(set(&project, "speed", &json!(1e39)).contains("the field takes a number"));
    assert!(set(&project, "small", &json!(300)).contains("the field takes one of A, B"));
    let turned = "turn: {x: 0, y: 0.70710677, z: 0, w: 0.70710677}";
    assert_eq!(set(&project, "turn", &json!({ "x": 0, "y": 90, "z": 0 })), turned);
    assert_eq!(set(&project, "turn.w", &json!(0.5)), "turn: {x: 0, y: 0, z: 0, w: 0.5}");
}
