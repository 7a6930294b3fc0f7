//! Documents that are read, refused and changed.

use expect_test::expect;

use super::*;

const MENU: &str = "<ui:UXML xmlns:ui=\"UnityEngine.UIElements\">\n    <!-- <no> -->\n    <ui:VisualElement name=\"panel\" style='flex-grow: 1;'>\n        <ui:Label text=\"A &amp; B\" name=\"title\" />\n    </ui:VisualElement>\n    <ui:Button/>\n</ui:UXML>\n";

#[test]
fn elements_are_read_with_their_attributes() {
    let document = Uxml::parse(MENU).unwrap();
    let names: Vec<_> = document.elements.iter().map(|e| (e.class(), e.parent)).collect();
    assert_eq!(
        names,
        [("UXML", None), ("VisualElement", Some(0)), ("Label", Some(1)), ("Button", Some(0))]
    );
    let label = document.named("title").next().unwrap();
    assert_eq!(label.get("text").as_deref(), Some("A & B"));
    assert_eq!(label.get("tooltip"), None);
}

#[test]
fn what_is_not_well_formed_is_told_with_its_place() {
    let told = [
        "<a><b></a>",
        "<a>",
        "</a>",
        "<a/><b/>",
        "<a x=1/>",
        "<a x='1' x='2'/>",
        "<a x='1'y='2'/>",
        "<a>&nbsp;</a>",
        "<a x=\"a & b\"/>",
        "<a x=\"<\"/>",
        "text",
        "<a><!-- </a>",
        "",
        "<a",
        "<a b",
        "<1/>",
        "<a x=\"1/>",
    ]
    .map(|text| Uxml::parse(text).unwrap_err().to_string());
    expect![[r#"
        line 1, column 7: </a> stands where <b> of line 1 is to be closed
        line 1, column 1: <a> is never closed
        line 1, column 1: </a> closes nothing
        line 1, column 5: there is a second root element
        line 1, column 6: the value of x stands in quotes
        line 1, column 13: <a> has the attribute x twice
        line 1, column 9: a blank is expected before an attribute
        line 1, column 4: a plain & is written &amp;
        line 1, column 9: a plain & is written &amp;
        line 1, column 7: < in a value is written &lt;
        line 1, column 1: there is text outside of the root element
        line 1, column 4: a comment does not end
        line 1, column 1: there is no element
        line 1, column 1: the tag <a does not end
        line 1, column 5: the attribute b has no value
        line 1, column 2: a name is expected here
        line 1, column 6: the value of x does not end"#]]
    .assert_eq(&told.join("\n"));
    for end in 0..MENU.len() {
        // Half a file is no reason to panic.
        let _ = MENU.get(..end).map(Uxml::parse);
    }
}

#[test]
fn attributes_and_elements_change_in_place() {
    let document = Uxml::parse(MENU).unwrap();
    let mut edits = Edits::default();
    let element = |name: &str| document.elements.iter().find(|e| e.class() == name).unwrap();
    document.set(element("Label"), "text", "\"C\" < D", &mut edits);
    document.set(element("Label"), "tooltip", "new", &mut edits);
    document.set(element("Label"), "name", "title", &mut edits);
    document.set(element("VisualElement"), "style", "color: 'x';", &mut edits);
    document.append(element("VisualElement"), &["<a />".into(), "<b />".into()], &mut edits);
    document.append(element("Button"), &["<c />".into()], &mut edits);
    let after = String::from_utf8(edits.apply(MENU.as_bytes()).unwrap()).unwrap();
    expect![[r#"
        <ui:UXML xmlns:ui="UnityEngine.UIElements">
            <!-- <no> -->
            <ui:VisualElement name="panel" style='color: &apos;x&apos;;'>
                <ui:Label text="&quot;C&quot; &lt; D" name="title" tooltip="new" />
                <a />
                <b />
            </ui:VisualElement>
            <ui:Button>
                <c />
            </ui:Button>
        </ui:UXML>
    "#]]
    .assert_eq(&after);
    Uxml::parse(&after).unwrap();
    let tight = "<a><b></b></a>";
    let document = Uxml::parse(tight).unwrap();
    let mut edits = Edits::default();
    document.append(&document.elements[1], &["<c/>".into()], &mut edits);
    let after = String::from_utf8(edits.apply(tight.as_bytes()).unwrap()).unwrap();
    expect![[r#"
        <a><b>
            <c/>
        </b></a>"#]]
    .assert_eq(&after);
}
