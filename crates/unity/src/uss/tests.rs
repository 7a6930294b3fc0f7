//! Sheets that are read, refused and changed.

use expect_test::expect;

use super::*;
use crate::uxml::Uxml;

const SHEET: &str = "@import url(\"base.uss\");\n/* .no { } */\n.menu,\n.panel > Label:hover {\n\tcolor: rgb(1, 2, 3); /* red; */\n\tbackground-image: url('a;b.png')\n}\n\n#title { width: 10px }\n.empty {}\n.menu { color: red; }\n";

fn set(selector: &str, property: &str, value: &str) -> String {
    let run = |text: &str| {
        let sheet = Uss::parse(text).unwrap();
        let mut edits = Edits::default();
        sheet.set(&Selector::parse(selector).unwrap(), property, value, &mut edits);
        let after = String::from_utf8(edits.apply(text.as_bytes()).unwrap()).unwrap();
        let rules = Uss::parse(&after).unwrap().rules;
        let is_set = |rule: &Rule<'_>| {
            Selector::parse(rule.selector)
                .is_ok_and(|own| own == Selector::parse(selector).unwrap())
                && rule.declarations.iter().any(|own| own.name == property && own.value == value)
        };
        assert!(rules.iter().any(is_set), "{after}");
        after
    };
    let after = run(SHEET);
    assert_eq!(run(&SHEET.replace('\n', "\r\n")), after.replace('\n', "\r\n"));
    let diff = scenewright_text::diff::unified(SHEET.as_bytes(), after.as_bytes(), "a", "b", 0);
    let lines = diff.text.lines().skip(2).filter(|line| !line.starts_with("@@"));
    lines.map(|line| format!("{line}\n")).collect()
}

#[test]
fn one_value_changes_and_the_rest_stays() {
    expect![[r#"
        -	color: rgb(1, 2, 3); /* red; */
        +	color: blue; /* red; */
    "#]]
    .assert_eq(&set(".menu,.panel>Label:hover", "color", "blue"));
    expect![[r#"
        -	background-image: url('a;b.png')
        +	background-image: url('a;b.png');
        +	width: 50%;
    "#]]
    .assert_eq(&set(".menu, .panel > Label:hover", "width", "50%"));
    expect![[r#"
        -#title { width: 10px }
        +#title { width: 10px; height: 20px; }
    "#]]
    .assert_eq(&set("#title", "height", "20px"));
    expect![[r#"
        -.empty {}
        +.empty {
        +    height: 20px;
        +}
    "#]]
    .assert_eq(&set(".empty", "height", "20px"));
    expect![[r#"
        -.menu { color: red; }
        +.menu { color: green; }
    "#]]
    .assert_eq(&set(".menu", "color", "green"));
    expect![[r#"
        +
        +Button:hover {
        +    opacity: 0.5;
        +}
    "#]]
    .assert_eq(&set("Button:hover", "opacity", "0.5"));
    assert_eq!(set(".menu", "color", "red"), "");
}

#[test]
fn sheets_that_cannot_be_read_are_told_with_their_place() {
    let told = [
        ".a { color: red",
        ".a color: red; }",
        "} .a {}",
        ".a { color }",
        ".a { b: \"c }\n",
        "/* a",
        "{ }",
        ".a { .b { } }",
    ]
    .map(|text| Uss::parse(text).unwrap_err().to_string());
    expect![[r#"
        line 1, column 4: a rule is not closed
        line 1, column 14: ; stands outside of a rule
        line 1, column 1: } stands outside of a rule
        line 1, column 6: color has no value
        line 1, column 9: a quote is not closed
        line 1, column 1: a comment does not end
        line 1, column 1: a rule has no selector
        line 1, column 9: a rule stands inside of a rule"#]]
    .assert_eq(&told.join("\n"));
    for end in 0..SHEET.len() {
        // Half a file is no reason to panic.
        let _ = SHEET.get(..end).map(Uss::parse);
    }
}

#[test]
fn selectors_properties_and_values_are_checked() {
    let told = [
        "",
        ".a,",
        "> .a",
        ".a >",
        ".a > > .b",
        ".1a",
        "..a",
        ".a:hovered",
        ".aButton#x*y",
        "a b!",
        ".a:hover",
    ]
    .map(|text| Selector::parse(text).map_or_else(|why| why, |selector| format!("ok {selector}")));
    expect![[r#"
        a selector is empty
        a selector is empty
        > stands between two elements
        > stands between two elements
        > stands between two elements
        .1a is no selector: a name is expected before "1a"
        ..a is no selector: a name is expected before ".a"
        USS has no :hovered; it has :hover, :active, :inactive, :focus, :selected, :disabled, :enabled, :checked, :root
        .aButton#x*y is no selector: a class comes first
        b! is no selector: a name is expected before "!"
        ok .a:hover"#]].assert_eq(&told.join("\n"));
    assert!(
        is_property("color")
            && is_property("--own")
            && !is_property("colour")
            && !is_property("--")
    );
    for value in ["red", "rgb(1, 2, 3)", "url('a;b')", "var(--x)"] {
        assert_eq!(value_problem(value), None, "{value}");
    }
    for value in ["", "red;", "rgb(1", "1)", "'a", "a { }", "a\nb"] {
        assert!(value_problem(value).is_some(), "{value}");
    }
    assert!(PROPERTIES.iter().all(|name| *name == name.to_ascii_lowercase()));
}

#[test]
fn elements_are_judged_alone_and_have_styles_of_their_own() {
    let document = Uxml::parse("<ui:Button name=\"go\" class=\"big red\"/>").unwrap();
    let element = &document.elements[0];
    let is_for = |text: &str| Selector::parse(text).unwrap().is_for(element);
    assert!(
        is_for("Button")
            && is_for("#go")
            && is_for(".red")
            && is_for("Button.big#go")
            && is_for("*")
            && is_for(".x, .big")
    );
    assert!(!is_for("Label") && !is_for("#stop") && !is_for(".bi") && !is_for("Label .big"));
    assert!(
        Selector::parse(".a").unwrap().is_simple()
            && !Selector::parse(".a:hover").unwrap().is_simple()
    );
    let style = |before: &str| with_inline(before, "color", "red").unwrap();
    assert_eq!(style(""), "color: red;");
    assert_eq!(style("width: 1px"), "width: 1px; color: red;");
    assert_eq!(style("color: blue; width: 1px;"), "color: red; width: 1px;");
    assert!(with_inline("width", "color", "red").is_err());
}
