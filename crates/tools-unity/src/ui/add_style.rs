//! The tool `ui.addStyle`: Add Style.

use scenewright_contract::{ErrorKind, Safety, ToolError, suggest};
use scenewright_text::Edits;
use scenewright_toolkit::door::{Plan, Written};
use scenewright_toolkit::{Cx, Earlier, Example, Tool, call, schema};
use scenewright_unity::uss::{self, PROPERTIES, Selector, Uss};
use scenewright_unity::uxml::Uxml;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::base::InUnity;
use crate::base::documents::{malformed, problem};

pub(crate) const TOOL: Tool = Tool {
    id: "ui.addStyle",
    keywords: "uss css style rule selector property value set change color font margin ui toolkit inline uxml stylesheet colour padding border sheet look button background",
    argument_aliases: &[("documentPath", "document")],
    title: "Add Style",
    notes: Some(
        "Values are checked for what would break the sheet, not for what the property takes.",
    ),
    category: "ui",
    safety: Safety::SafeWrite,
    idempotent: true,
    after: &[Earlier {
        tool: "ui.createDocument",
        input: r#"{ "path": "Assets/UI/Menu.uxml", "attributes": { "name": "menu" } }"#,
    }],
    examples: &[Example {
        description: "Let the menu that was made before fill its screen",
        input: r##"{ "document": "Assets/UI/Menu.uxml", "selector": "#menu", "property": "flex-grow", "value": "1" }"##,
        output: r##"{
            "success": true,
            "document": "Assets/UI/Menu.uxml",
            "selector": "#menu",
            "property": "flex-grow",
            "value": "1",
            "elements": 1,
            "dryRun": false,
            "filesChanged": 1,
            "changes": []
        }"##,
        varies: &["changes", "undo"],
    }],
    input: schema::input::<Input>,
    output: schema::output::<Output>,
    call: |cx, args| call(cx, args, run),
    ..Tool::READ
};

/// Set one property for a selector: in a `.uss` sheet in the rule of that selector, which is made if
/// there is none; in a `.uxml` document in the `style` of the elements that the selector is for.
/// Everything else keeps its bytes.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
struct Input {
    /// Id or folder of the project; the first Unity project by default.
    project: Option<String>,
    /// The `.uss` or `.uxml` file.
    document: String,
    /// USS selector, such as `.menu > Button:hover`; in a document only classes, names and types.
    selector: String,
    /// USS property, such as `background-color`, or a variable such as `--accent`.
    property: String,
    /// Its value, without a semicolon.
    value: String,
    /// Return what would change instead of changing it.
    #[serde(default)]
    dry_run: bool,
}

#[derive(Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Output {
    /// Always true; a failure is an error.
    success: bool,
    /// The file, from the project's root.
    document: String,
    /// The selector.
    selector: String,
    /// The property.
    property: String,
    /// Its value now.
    value: String,
    /// How many elements of a document have it; nothing for a sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    elements: Option<usize>,
    #[serde(flatten)]
    written: Written,
}

fn run(cx: &Cx, input: Input) -> Result<Output, ToolError> {
    let unity = cx.unity(input.project.as_deref())?;
    let bad = |message: String| ToolError::new(ErrorKind::BadArguments, message);
    let selector = Selector::parse(&input.selector)
        .map_err(|why| bad(format!("Invalid CSS selector: {why}")))?;
    let property = input.property.trim();
    if !uss::is_property(property) {
        let otherwise = "names that begin with -- are the sheet's own";
        return Err(bad(format!("Invalid CSS property: {property}")).hint(suggest::did_you_mean(
            property,
            PROPERTIES.iter().copied(),
            otherwise,
        )));
    }
    let value = input.value.trim().trim_end_matches(';').trim_end();
    if let Some(why) = uss::value_problem(value) {
        return Err(bad(format!("Invalid value {:?}: {why}", input.value)));
    }
    let (path, text) = unity.read_document(&input.document, &[".uss", ".tss", ".uxml"])?;
    let mut edits = Edits::default();
    let elements = if path.as_str().ends_with(".uxml") {
        let document = Uxml::parse(&text).map_err(|why| malformed(&path, &why))?;
        Some(inline(&document, &selector, property, value, &mut edits)?)
    } else {
        let sheet = Uss::parse(&text).map_err(|why| malformed(&path, &why))?;
        sheet.set(&selector, property, value, &mut edits);
        None
    };
    let mut plan = Plan::new(unity.project);
    plan.edit(&path, text.as_bytes(), &edits)?;
    let written = plan.commit(cx, input.dry_run, problem)?;
    Ok(Output {
        success: true,
        document: path.to_string(),
        selector: selector.to_string(),
        property: property.to_owned(),
        value: value.to_owned(),
        elements,
        written,
    })
}

/// Sets a property in the styles of elements; how many they are.
fn inline(
    document: &Uxml<'_>,
    selector: &Selector,
    property: &str,
    value: &str,
    edits: &mut Edits,
) -> Result<usize, ToolError> {
    if !selector.is_simple() {
        let message = format!("{selector} cannot be told from an element alone");
        return Err(ToolError::new(ErrorKind::BadArguments, message)
            .hint("states and relations are for .uss sheets; name one that the document uses"));
    }
    // The root and sheets are not drawn.
    let is_drawn =
        |class: &str| !matches!(class, "UXML" | "Style" | "Template" | "Bindings" | "DataBinding");
    let elements: Vec<_> = document
        .elements
        .iter()
        .filter(|element| is_drawn(element.class()) && selector.is_for(element))
        .collect();
    if elements.is_empty() {
        let names: Vec<String> = document
            .elements
            .iter()
            .filter_map(|element| element.get("name"))
            .map(|name| format!("#{name}"))
            .collect();
        let hint = suggest::did_you_mean(
            &selector.to_string(),
            names.iter().map(String::as_str),
            "no element has a name",
        );
        return Err(
            ToolError::new(ErrorKind::EngineError, format!("no element is {selector}")).hint(hint)
        );
    }
    for element in &elements {
        let style = element.get("style").unwrap_or_default();
        let style = uss::with_inline(&style, property, value).map_err(|why| {
            ToolError::new(
                ErrorKind::EngineError,
                format!("the style of an element cannot be read: {why}"),
            )
        })?;
        document.set(element, "style", &style, edits);
    }
    Ok(elements.len())
}

#[cfg(test)]
mod tests {
    use expect_test::expect;
    use scenewright_fixture::Folder;
    use serde_json::json;

    use crate::testing::call_writing;

    const UI: &str = "//- Assets/A.uss\n.menu {\n    color: red;\n}\n//- Assets/A.uxml\n<ui:UXML xmlns:ui=\"UnityEngine.UIElements\">\n    <ui:Label class=\"menu\" name=\"title\" />\n    <ui:Label class=\"menu\" style=\"color: blue\" />\n</ui:UXML>\n";

    #[test]
    fn a_rule_of_a_sheet_changes_in_place() {
        let folder = Folder::unity(UI);
        let set = |document: &str, selector: &str, property: &str, value: &str| {
            let arguments = json!({ "document": document, "selector": selector, "property": property, "value": value });
            call_writing(&folder, super::TOOL.id, arguments)
        };
        set("Assets/A.uss", ".menu", "color", "rgb(0, 0, 0);").unwrap();
        set("Assets/A.uss", ".menu", "font-size", "20px").unwrap();
        set("Assets/A.uss", ".menu > Label", "--gap", "4px").unwrap();
        expect![[r#"
            .menu {
                color: rgb(0, 0, 0);
                font-size: 20px;
            }

            .menu > Label {
                --gap: 4px;
            }
        "#]]
        .assert_eq(&folder.read("Assets/A.uss"));
        let output = set("Assets/A.uxml", "Label.menu", "color", "red").unwrap().output;
        assert_eq!(output["elements"], 2);
        expect![[r#"
            <ui:UXML xmlns:ui="UnityEngine.UIElements">
                <ui:Label class="menu" name="title" style="color: red;" />
                <ui:Label class="menu" style="color: red" />
            </ui:UXML>
        "#]]
        .assert_eq(&folder.read("Assets/A.uxml"));
        let again = set("Assets/A.uxml", "Label.menu", "color", "red").unwrap().output;
        assert_eq!(again["filesChanged"], 0);
        let refused = [
            set("Assets/B.uss", ".menu", "color", "red"),
            set("Assets/A.txt", ".menu", "color", "red"),
            set("Assets/A.uss", ".menu:hovered", "color", "red"),
            set("Assets/A.uss", ".menu", "colour", "red"),
            set("Assets/A.uss", ".menu", "color", "red; } .x {"),
            set("Assets/A.uxml", "#titel", "color", "red"),
            set("Assets/A.uxml", ".menu:hover", "color", "red"),
        ]
        .map(|result| result.unwrap_err().text());
        expect![[r#"
            Document not found: Asset at path 'Assets/B.uss' not found
            Try: did you mean Assets/A.uss?
            Invalid tool arguments: document must be a file that ends with .uss or .tss or .uxml
            Invalid CSS selector: USS has no :hovered; it has :hover, :active, :inactive, :focus, :selected, :disabled, :enabled, :checked, :root
            Invalid CSS property: colour
            Try: did you mean color?
            Invalid value "red; } .x {": a value has no semicolon, brace or line break
            no element is #titel
            Try: did you mean #title?
            .menu:hover cannot be told from an element alone
            Try: states and relations are for .uss sheets; name one that the document uses"#]].assert_eq(&refused.join("\n"));
    }
}
