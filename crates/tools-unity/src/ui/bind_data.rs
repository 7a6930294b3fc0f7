//! The tool `ui.bindData`: Bind UI Data.

use scenewright_contract::{Safety, ToolError, suggest};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::uxml::{Element, Uxml, encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::documents::{malformed, problem};

/// Documents can say what their elements show since this release.
const HAS_BINDINGS: (u32, u32) = (2023, 2);

pub(crate) const TOOL: Tool = Tool {
    id: "ui.bindData",
    keywords: "uxml data binding bind element property label text value to scriptableobject json playerprefs source path ui toolkit show score health",
    argument_aliases: &[("documentPath", "document")],
    title: "Bind UI Data",
    notes: Some(
        "The data source itself is given by code when the game runs (`root.dataSource`): UXML has no form for PlayerPrefs or JSON, and none for assets is written here.",
    ),
    category: "ui",
    safety: Safety::SafeWrite,
    idempotent: true,
    after: &[Earlier {
        tool: "ui.createDocument",
        input: r#"{ "path": "Assets/UI/Menu.uxml", "attributes": { "name": "menu" } }"#,
    }],
    examples: &[Example {
        description: "Show a value in the menu that was made before",
        input: r#"{ "document": "Assets/UI/Menu.uxml", "dataSource": "ScriptableObject", "bindings": [{ "element": "menu", "property": "tooltip", "dataKey": "hint" }] }"#,
        output: r#"{
            "success": true,
            "document": "Assets/UI/Menu.uxml",
            "bindingsCreated": 1,
            "form": "binding-path",
            "errors": [],
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"#,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Bind elements of a UXML document to values of a data source, by the elements' names. Since Unity
/// 2023.2 each binding is a `DataBinding` of one property; before, `binding-path` on the element, which
/// binds its value. An element that is missing fails only its own binding.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.uxml` file.
    document: String,
    /// Kind of source that code will give.
    data_source: DataSource,
    /// What to bind.
    #[schemars(length(min = 1, max = 1000))]
    bindings: Vec<Binding>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Clone, Copy, Deserialize, JsonSchema)]
enum DataSource {
    PlayerPrefs,
    ScriptableObject,
    #[serde(rename = "JSON")]
    Json,
}

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Binding {
    /// Name of the element, with or without `#`.
    element: String,
    /// Property of the element that shows the value, such as `text` or `value`.
    property: String,
    /// Where the value is in the source: a key, or names joined by dots.
    data_key: String,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Whether every binding could be made.
    success: bool,
    /// The file, from the project's root.
    document: String,
    /// How many bindings there are now of those that were asked for.
    bindings_created: usize,
    /// `DataBinding` or `binding-path`.
    form: &'static str,
    /// Bindings that could not be made.
    errors: Vec<Failed>,
    #[serde(flatten)]
    written: Written,
}

#[derive(Serialize, JsonSchema)]
struct Failed {
    /// The element.
    element: String,
    /// Why it is not bound.
    error: String,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let (path, text) = unity.read_document(&input.document, &[".uxml"])?;
    let document = Uxml::parse(&text).map_err(|why| malformed(&path, &why))?;
    let release = unity.unity.settings.version.release();
    let has_bindings = release.is_some_and(|release| release >= HAS_BINDINGS);
    let mut edits = Edits::default();
    let mut errors = Vec::new();
    let mut wanted: Vec<(&Element<'_>, Vec<&Binding>)> = Vec::new();
    for binding in &input.bindings {
        match element(&document, binding) {
            Err(error) => errors.push(Failed { element: binding.element.clone(), error }),
            Ok(found) => match wanted.iter_mut().find(|(known, _)| known.tag == found.tag) {
                Some((_, bindings)) => bindings.push(binding),
                None => wanted.push((found, vec![binding])),
            },
        }
    }
    let mut created = 0;
    for (element, bindings) in wanted {
        created += match has_bindings {
            true => bind(&document, element, &bindings, &mut edits),
            false => bind_path(&document, element, &bindings, &mut errors, &mut edits),
        };
    }
    tell(cx, input.data_source, has_bindings);
    let mut plan = Plan::new(unity.project);
    plan.edit(&path, text.as_bytes(), &edits)?;
    let written = plan.commit(cx, input.dry_run, problem)?;
    Ok(Output {
        success: errors.is_empty(),
        document: path.to_string(),
        bindings_created: created,
        form: if has_bindings { "DataBinding" } else { "binding-path" },
        errors,
        written,
    })
}

fn tell(cx: &Cx, source: DataSource, has_bindings: bool) {
    let kind = match source {
        DataSource::PlayerPrefs => "an object that reads PlayerPrefs",
        DataSource::ScriptableObject => "the ScriptableObject",
        DataSource::Json => "the object that the JSON is read into",
    };
    cx.diagnose(match has_bindings {
        true => format!("Code has to give the source when the game runs: root.dataSource = {kind}."),
        false => format!(
            "Before Unity 2023.2 binding-path works with root.Bind(new SerializedObject({})), in the editor only.",
            if matches!(source, DataSource::ScriptableObject) { "asset" } else { "a ScriptableObject with the values" }
        ),
    });
}

fn element<'d, 't>(document: &'d Uxml<'t>, binding: &Binding) -> Result<&'d Element<'t>, String> {
    let name = binding.element.trim_start_matches('#');
    let is_path = |text: &str| !text.trim().is_empty() && !text.contains(['<', '>', '"', '\n']);
    if !is_path(&binding.property) || !is_path(&binding.data_key) {
        return Err("property and dataKey are names".to_owned());
    }
    let mut found = document.named(name);
    match (found.next(), found.next()) {
        (Some(element), None) => Ok(element),
        (Some(_), Some(_)) => Err(format!("several elements are named {name}")),
        (None, _) => {
            let names: Vec<String> =
                document.elements.iter().filter_map(|own| own.get("name")).collect();
            let otherwise = "no element has a name";
            let hint = suggest::did_you_mean(name, names.iter().map(String::as_str), otherwise);
            Err(format!("no element is named {name}; {hint}"))
        }
    }
}

/// Bindings as elements inside of the one that they are for.
fn bind(
    document: &Uxml<'_>,
    element: &Element<'_>,
    bindings: &[&Binding],
    edits: &mut Edits,
) -> usize {
    let at = document.elements.iter().position(|own| own.tag == element.tag);
    let inside = |parent: Option<usize>, class: &str| {
        let is_it = move |own: &&Element<'_>| {
            own.parent == parent && parent.is_some() && own.class() == class
        };
        document.elements.iter().filter(is_it).collect::<Vec<_>>()
    };
    let group = inside(at, "Bindings").first().copied();
    let group_at =
        group.and_then(|group| document.elements.iter().position(|own| own.tag == group.tag));
    let known = inside(group_at, "DataBinding");
    let prefix =
        document.elements.first().and_then(|root| root.name.strip_suffix("UXML")).unwrap_or("ui:");
    let mut lines = Vec::new();
    let mut done: Vec<&str> = Vec::new();
    for binding in bindings.iter().rev() {
        if done.contains(&binding.property.as_str()) {
            continue;
        }
        done.push(&binding.property);
        match known.iter().find(|own| own.get("property").is_some_and(|own| own == binding.property)) {
            Some(own) => document.set(own, "data-source-path", &binding.data_key, edits),
            None => lines.insert(0, format!(
                "<{prefix}DataBinding property=\"{}\" data-source-path=\"{}\" binding-mode=\"ToTarget\" />",
                encode(&binding.property, '"'),
                encode(&binding.data_key, '"')
            )),
        }
    }
    if lines.is_empty() {
        return done.len();
    }
    match group {
        Some(group) => document.append(group, &lines, edits),
        None => {
            let mut block = vec!["<Bindings>".to_owned()];
            block.extend(lines.into_iter().map(|line| format!("    {line}")));
            block.push("</Bindings>".to_owned());
            document.append(element, &block, edits);
        }
    }
    done.len()
}

/// One path per element, for what the element holds.
fn bind_path(
    document: &Uxml<'_>,
    element: &Element<'_>,
    bindings: &[&Binding],
    errors: &mut Vec<Failed>,
    edits: &mut Edits,
) -> usize {
    let Some((last, others)) = bindings.split_last() else { return 0 };
    document.set(element, "binding-path", &last.data_key, edits);
    errors.extend(others.iter().map(|other| Failed {
        element: other.element.clone(),
        error: format!(
            "{} is left out: before Unity 2023.2 an element has one binding",
            other.property
        ),
    }));
    1
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const UI: &str = "//- Assets/A.uxml\n<ui:UXML xmlns:ui=\"UnityEngine.UIElements\">\n    <ui:Label name=\"title\" />\n    <ui:Toggle name=\"on\" label=\"On\">\n        <Bindings>\n            <ui:DataBinding property=\"value\" data-source-path=\"old\" />\n        </Bindings>\n    </ui:Toggle>\n</ui:UXML>\n";

    fn call(folder: &Folder, bindings: Value) -> scenewright_contract::Output {
        let arguments =
            json!({ "document": "Assets/A.uxml", "dataSource": "JSON", "bindings": bindings });
        call_writing(folder, super::TOOL.id, arguments).unwrap().output
    }

    #[test]
    fn each_property_has_a_binding_and_missing_elements_fail_alone() {
        let folder = Folder::unity(UI);
        folder.write("ProjectSettings/ProjectVersion.txt", "m_EditorVersion: 6000.0.1f1\n");
        let bindings = json!([
            { "element": "title", "property": "text", "dataKey": "player.name" },
            { "element": "#title", "property": "tooltip", "dataKey": "hint" },
            { "element": "on", "property": "value", "dataKey": "sound" },
            { "element": "on", "property": "label", "dataKey": "soundLabel" },
            { "element": "tilte", "property": "text", "dataKey": "x" },
        ]);
        let output = call(&folder, bindings.clone());
        assert_eq!((&output["bindingsCreated"], &output["success"]), (&json!(4), &json!(false)));
        expect!["no element is named tilte; did you mean title?"]
            .assert_eq(output["errors"][0]["error"].as_str().unwrap());
        expect![[r#"
            <ui:UXML xmlns:ui="UnityEngine.UIElements">
                <ui:Label name="title">
                    <Bindings>
                        <ui:DataBinding property="text" data-source-path="player.name" binding-mode="ToTarget" />
                        <ui:DataBinding property="tooltip" data-source-path="hint" binding-mode="ToTarget" />
                    </Bindings>
                </ui:Label>
                <ui:Toggle name="on" label="On">
                    <Bindings>
                        <ui:DataBinding property="value" data-source-path="sound" />
                        <ui:DataBinding property="label" data-source-path="soundLabel" binding-mode="ToTarget" />
                    </Bindings>
                </ui:Toggle>
            </ui:UXML>
        "#]].assert_eq(&folder.read("Assets/A.uxml"));
        assert_eq!(call(&folder, bindings)["filesChanged"], 0);
    }

    #[test]
    fn before_2023_2_an_element_has_one_path() {
        let folder = Folder::unity(UI);
        let bindings = json!([{ "element": "title", "property": "text", "dataKey": "a" }]);
        assert_eq!(call(&folder, bindings)["form"], "binding-path");
        assert!(
            folder.read("Assets/A.uxml").contains("<ui:Label name=\"title\" binding-path=\"a\" />")
        );
    }
}
