//! Classes that components have, whoever brings them.

use serde_json::json;

use crate::testing::UnitySample;

/// The classes of all components, as code finds them.
const ALL: &str = r#"string.Join(", ", GameObject.Find("Thing").GetComponents<Component>().Select(c => c == null ? "null" : c.GetType().Name))"#;

const MISSING: &str = "MonoBehaviour:
  m_Enabled: 1
  m_Script: {fileID: 11500000, guid: 00000000000000000000000000000abc, type: 3}
";
const OF_PLUGIN: &str = "MonoBehaviour:
  m_Enabled: 1
  m_Script: {fileID: 42, guid: 00000000000000000000000000000abd, type: 3}
  m_EditorClassIdentifier: Plugin::Plug.Spinner
  speed: 3
";

#[test]
fn every_component_is_found_whether_its_class_is_known_or_not() {
    let sample = UnitySample::with_components(
        &[(114, MISSING), (114, OF_PLUGIN), (182, "WindZone:\n  m_Enabled: 1\n")],
        "",
    );
    assert_eq!(sample.eval(ALL)["result"], "Transform, null, Spinner, WindZone");
    let scripts = r#"GameObject.Find("Thing").GetComponentsInChildren<MonoBehaviour>().Length"#;
    assert_eq!(sample.eval(scripts)["result"], "1");
    let everywhere = "Object.FindObjectsOfType<Component>().Length";
    assert_eq!(sample.eval(everywhere)["result"], "3", "a missing one is no object");
    let speed = r#"GameObject.Find("Thing").GetComponent<Plug.Spinner>().speed"#;
    assert_eq!(sample.eval(speed)["result"], "3");
    let found = sample.ask("explorer.listObjects", json!({ "type": "MonoBehaviour" }));
    assert_eq!(found["Total"], 1);
}
