//! What sources declare, one line for each declaration.

use std::fmt::Write;

use expect_test::{Expect, expect};

use super::*;

mod hostile;
mod types;
mod unity;

/// Checks what a source declares, one line for each declaration.
fn check(source: &str, expected: Expect) {
    let file = parse(source);
    expected.assert_eq(&show(&file));
    if file.problems.is_empty() {
        let without_methods = parse_declarations(source);
        assert_eq!(show(&without_methods), show(&file), "methods matter for the rest");
    }
}

fn show(file: &ScriptFile) -> String {
    let mut out = String::new();
    for using in &file.usings {
        let alias = using.alias.iter().map(|alias| format!("{alias} = ")).collect::<String>();
        let kind = if using.is_static { "static " } else { "" };
        let within = if using.within.is_empty() { "" } else { &*format!(" in {}", using.within) };
        writeln!(out, "using {kind}{alias}{}{within}", using.name).unwrap();
    }
    for namespace in &file.namespaces {
        writeln!(out, "namespace {namespace}").unwrap();
    }
    for decl in file.all_types() {
        show_type(decl, &mut out);
    }
    for Problem { line, column, message } in &file.problems {
        writeln!(out, "{line}:{column} {message}").unwrap();
    }
    out
}

fn show_type(decl: &TypeDecl, out: &mut String) {
    let returns = decl.returns.iter().map(|ty| format!(" -> {ty}")).collect::<String>();
    let name = decl.full_name()
        + &generic(&decl.type_parameters)
        + &show_parameters(&decl.parameters)
        + &returns;
    let bases = if decl.bases.is_empty() {
        String::new()
    } else {
        format!(" : {}", decl.bases.join(" + "))
    };
    writeln!(
        out,
        "{}-{} {:?} {name}{bases}{}",
        decl.about.line,
        decl.end_line,
        decl.kind,
        about(&decl.about)
    )
    .unwrap();
    let mut member = |text: String, of: &About| {
        writeln!(out, "  {} {text}{}", of.line, about(of)).unwrap();
    };
    let set_to =
        |value: &Option<String>| value.iter().map(|v| format!(" = {v}")).collect::<String>();
    for f in &decl.fields {
        member(format!("field {} {}{}", f.ty, f.name, set_to(&f.initializer)), &f.about);
    }
    for p in &decl.properties {
        let auto = if p.auto { "auto " } else { "" };
        member(
            format!(
                "property {} {} {auto}{{{}}}{}",
                p.ty,
                p.name,
                p.accessors,
                set_to(&p.initializer)
            ),
            &p.about,
        );
    }
    for m in &decl.methods {
        let parameters = m.parameters.iter().map(parameter).collect::<Vec<_>>().join(", ");
        let generic = generic(&m.type_parameters);
        member(format!("{:?} {} {}{generic}({parameters})", m.kind, m.returns, m.name), &m.about);
    }
    for e in &decl.events {
        member(format!("event {} {}", e.ty, e.name), &e.about);
    }
    for m in &decl.enum_members {
        let value = m.value.map_or("?".to_owned(), |value| value.to_string());
        member(format!("{} = {value}", m.name), &m.about);
    }
}

fn generic(names: &[String]) -> String {
    if names.is_empty() { String::new() } else { format!("<{}>", names.join(", ")) }
}

fn show_parameters(parameters: &[Parameter]) -> String {
    if parameters.is_empty() {
        return String::new();
    }
    format!("({})", parameters.iter().map(parameter).collect::<Vec<_>>().join(", "))
}

fn parameter(p: &Parameter) -> String {
    let default = p.default.iter().map(|value| format!(" = {value}")).collect::<String>();
    format!("{} {} {}{default}", p.modifiers, p.ty, p.name).trim().to_owned()
}

fn about(about: &About) -> String {
    let mut out = String::new();
    for a in about.attributes.iter() {
        let target = a.target.iter().map(|t| format!("{t}: ")).collect::<String>();
        let arguments = a.arguments.iter().map(|argument| {
            argument.name.iter().map(|name| format!("{name} = ")).collect::<String>()
                + &argument.text
        });
        write!(out, " [{target}{}({})]", a.name, arguments.collect::<Vec<_>>().join(", ")).unwrap();
    }
    for modifier in about.modifiers.iter() {
        write!(out, " {}", modifier.word()).unwrap();
    }
    if let Some(summary) = &about.summary {
        write!(out, " \"{summary}\"").unwrap();
    }
    if let Some(condition) = &about.condition {
        write!(out, " #if {condition}").unwrap();
    }
    out
}
