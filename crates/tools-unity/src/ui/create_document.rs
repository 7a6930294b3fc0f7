//! The tool `ui.createDocument`: Create UI Document.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Example, Tool, call, schema};
use scenewright_unity::uxml::{Uxml, encode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json};

use crate::base::assets::NewFiles;
use crate::base::{InUnity, documents};

/// The elements of Unity.
const ELEMENTS: &[&str] = &[
    "BindableElement",
    "BoundsField",
    "BoundsIntField",
    "Box",
    "Button",
    "DoubleField",
    "DropdownField",
    "EnumField",
    "FloatField",
    "Foldout",
    "GroupBox",
    "Hash128Field",
    "HelpBox",
    "IMGUIContainer",
    "Image",
    "IntegerField",
    "Label",
    "ListView",
    "LongField",
    "MinMaxSlider",
    "MultiColumnListView",
    "MultiColumnTreeView",
    "PopupWindow",
    "ProgressBar",
    "RadioButton",
    "RadioButtonGroup",
    "RectField",
    "RectIntField",
    "RepeatButton",
    "ScrollView",
    "Scroller",
    "Slider",
    "SliderInt",
    "Tab",
    "TabView",
    "TemplateContainer",
    "TextElement",
    "TextField",
    "Toggle",
    "ToggleButtonGroup",
    "TreeView",
    "TwoPaneSplitView",
    "UnsignedIntegerField",
    "UnsignedLongField",
    "Vector2Field",
    "Vector2IntField",
    "Vector3Field",
    "Vector3IntField",
    "Vector4Field",
    "VisualElement",
];

pub(crate) const TOOL: Tool = Tool {
    id: "ui.createDocument",
    keywords: "new uxml ui toolkit document visual tree menu hud screen panel interface layout button label main inventory",
    argument_aliases: &[("rootElement", "root")],
    title: "Create UI Document",
    category: "ui",
    safety: Safety::SafeWrite,
    idempotent: false,
    examples: &[Example {
        description: "A document for a menu in the Unity sample",
        input: r#"{ "path": "Assets/UI/Menu.uxml", "attributes": { "name": "menu", "class": "screen" } }"#,
        output: r#"{
            "success": true,
            "path": "Assets/UI/Menu.uxml",
            "rootElement": "VisualElement",
            "guid": "",
            "dryRun": false,
            "filesChanged": 3,
            "changes": []
        }"#,
        varies: &["guid", "changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Create a UXML document of UI Toolkit with one element, or with elements that you write, and the
/// style sheets that it uses. What is written is checked to be well-formed.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// Where it will be, such as `Assets/UI/Menu.uxml`.
    path: String,
    /// Class of its first element: one of Unity's, or a full class name of the project's.
    #[serde(default = "usual")]
    root: String,
    /// Attributes of that element, such as `name`, `class`, `style`, `text`.
    #[serde(default)]
    attributes: Map<String, Json>,
    /// Elements inside of it, as UXML with the prefix `ui:`.
    content: Option<String>,
    /// Style sheets that the document uses, as paths of `.uss` files.
    #[serde(default)]
    style_sheets: Vec<String>,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

fn usual() -> String {
    "VisualElement".to_owned()
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    path: String,
    /// The class of the first element.
    root_element: String,
    /// The guid that it got.
    guid: String,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let path = unity.asset_place(&input.path)?;
    if !path.as_str().ends_with(".uxml") {
        return Err(ToolError::bad_argument("path", "must end with .uxml"));
    }
    unity.must_be_new(&path).map_err(|error| ToolError {
        message: format!("File already exists: {}", error.message),
        ..error
    })?;
    let sheets = input.style_sheets.iter().map(|sheet| unity.style_source(sheet));
    let sheets = sheets.collect::<Result<Vec<_>, _>>()?;
    let text = document(&input, &sheets)?;
    if let Err(why) = Uxml::parse(&text) {
        let message = format!("the document would not be well-formed: {why}");
        return Err(ToolError::new(ErrorKind::BadArguments, message)
            .hint("nothing was changed; the lines are those of the whole document")
            .detail("document", text));
    }
    let mut files = NewFiles::default();
    let guid = files.add(&unity, &path, text.into_bytes())?;
    let mut plan = Plan::new(unity.project);
    files.put(&mut plan);
    let written = plan.commit(cx, input.dry_run, documents::problem)?;
    Ok(Output {
        success: true,
        path: path.to_string(),
        root_element: input.root,
        guid: guid.map(|guid| guid.to_string()).unwrap_or_default(),
        written,
    })
}

fn document(input: &Input, sheets: &[String]) -> Result<String, ToolError> {
    let tag = tag(&input.root)?;
    let mut attributes = String::new();
    for (name, value) in &input.attributes {
        let value = match value {
            Json::String(text) => text.clone(),
            Json::Bool(_) | Json::Number(_) => value.to_string(),
            _ => {
                return Err(ToolError::bad_argument(
                    "attributes",
                    "must have texts, numbers or booleans",
                ));
            }
        };
        let is_name = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | ':' | '.');
        if name.is_empty() || !name.chars().all(is_name) {
            return Err(ToolError::bad_argument(
                "attributes",
                &format!("have no name like {name:?}"),
            ));
        }
        attributes.push_str(&format!(" {name}=\"{}\"", encode(&value, '"')));
    }
    let mut text = String::from(
        "<ui:UXML xmlns:ui=\"UnityEngine.UIElements\" xmlns:uie=\"UnityEditor.UIElements\" editor-extension-mode=\"False\">\n",
    );
    for sheet in sheets {
        text.push_str(&format!("    <Style src=\"{}\" />\n", encode(sheet, '"')));
    }
    match input.content.as_deref().map(str::trim).filter(|content| !content.is_empty()) {
        None => text.push_str(&format!("    <{tag}{attributes} />\n")),
        Some(content) => {
            text.push_str(&format!("    <{tag}{attributes}>\n"));
            for line in content.lines() {
                text.push_str(format!("        {line}").trim_end());
                text.push('\n');
            }
            text.push_str(&format!("    </{tag}>\n"));
        }
    }
    Ok(text + "</ui:UXML>\n")
}

/// The tag of an element's class.
fn tag(root: &str) -> Result<String, ToolError> {
    let plain = root.strip_prefix("ui:").unwrap_or(root);
    let plain = plain.strip_prefix("UnityEngine.UIElements.").unwrap_or(plain);
    if ELEMENTS.contains(&plain) {
        return Ok(format!("ui:{plain}"));
    }
    let is_name = |part: &str| {
        part.starts_with(|c: char| c.is_alphabetic() || c == '_')
            && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    // A class of the project is written with its namespace.
    if plain.contains('.') && plain.split('.').all(is_name) {
        return Ok(plain.to_owned());
    }
    let otherwise = "classes of the project are named with their namespace";
    Err(ToolError::new(ErrorKind::BadArguments, format!("Invalid root element type: {root}"))
        .hint(suggest::did_you_mean(plain, ELEMENTS.iter().copied(), otherwise)))
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::{Value, json};

    use crate::testing::call_writing;

    const SHEET: &str = "//- Assets/UI/Base.uss\n.a { color: red; }\n//- Assets/UI/Base.uss.meta\nfileFormatVersion: 2\nguid: abc00000000000000000000000000001\n";

    #[test]
    fn a_document_has_its_element_its_content_and_its_sheets() {
        let folder = Folder::unity(SHEET);
        let arguments = json!({
            "path": "Assets/UI/Menu.uxml", "root": "ScrollView", "attributes": { "name": "a<b", "focusable": true },
            "content": "<ui:Label text=\"Hi\" />\n<ui:Button />", "styleSheets": ["Assets/UI/Base.uss"],
        });
        call_writing(&folder, super::TOOL.id, arguments).unwrap();
        expect![[r#"
            <ui:UXML xmlns:ui="UnityEngine.UIElements" xmlns:uie="UnityEditor.UIElements" editor-extension-mode="False">
                <Style src="project://database/Assets/UI/Base.uss?fileID=7433441132597879392&amp;guid=abc00000000000000000000000000001&amp;type=3#Base" />
                <ui:ScrollView name="a&lt;b" focusable="true">
                    <ui:Label text="Hi" />
                    <ui:Button />
                </ui:ScrollView>
            </ui:UXML>
        "#]].assert_eq(&folder.read("Assets/UI/Menu.uxml"));
        let meta = folder.read("Assets/UI/Menu.uxml.meta");
        assert!(
            meta.contains(
                "script: {fileID: 13804, guid: 0000000000000000e000000000000000, type: 0}\n"
            ),
            "{meta}"
        );
        let own = json!({ "path": "Assets/UI/Own.uxml", "root": "Game.HealthBar" });
        call_writing(&folder, super::TOOL.id, own).unwrap();
        assert!(folder.read("Assets/UI/Own.uxml").contains("\n    <Game.HealthBar />\n"));
    }

    #[test]
    fn what_is_not_well_formed_or_there_already_is_refused() {
        let folder = Folder::unity(SHEET);
        let told =
            |arguments: Value| call_writing(&folder, super::TOOL.id, arguments).unwrap_err().text();
        let refused = [
            told(json!({ "path": "Assets/A.uxml", "root": "Buton" })),
            told(json!({ "path": "Assets/A.uxml", "content": "<ui:Label>" })),
            told(json!({ "path": "Assets/A.uss" })),
            told(
                json!({ "path": "Assets/UI/Base.uss/A.uxml", "styleSheets": ["Assets/UI/Bass.uss"] }),
            ),
            told(json!({ "path": "../A.uxml" })),
        ];
        expect![[r#"
            Invalid root element type: Buton
            Try: did you mean Button?
            the document would not be well-formed: line 4, column 5: </ui:VisualElement> stands where <ui:Label> of line 3 is to be closed
            Try: nothing was changed; the lines are those of the whole document
            Invalid tool arguments: path must end with .uxml
            Asset at path 'Assets/UI/Bass.uss' not found
            Try: did you mean Assets/UI/Base.uss?
            Path must be inside the project: ../A.uxml
            Try: name it from the project's root: Assets/Door.prefab, res://door.tscn"#]].assert_eq(&refused.join("\n"));
        let once = json!({ "path": "Assets/A.uxml" });
        call_writing(&folder, super::TOOL.id, once.clone()).unwrap();
        assert!(told(once).starts_with("File already exists"));
    }
}
