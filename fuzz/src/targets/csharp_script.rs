//! Any bytes are a script: its declarations stand in the source, there are not more of them than
//! the source has bytes, and no question about them panics.

use scenewright_unity::script::{
    About, ClassIdentifier, ScriptFile, ScriptSet, TypeDecl, declares_class, parse, parse_bytes,
    parse_declarations,
};

pub(crate) fn run(bytes: &[u8]) {
    let source = String::from_utf8_lossy(bytes);
    let file = parse_bytes(bytes);
    assert_eq!(file, parse(&source));
    visit(&file, &source);
    let quick = parse_declarations(&source);
    visit(&quick, &source);
    if file.problems.is_empty() {
        // Passing over the statements loses no type.
        let names =
            |file: &ScriptFile| file.all_types().map(TypeDecl::full_name).collect::<Vec<_>>();
        assert_eq!(names(&quick), names(&file));
    }
    let set = ScriptSet::new([&file, &quick]);
    let outline = set.outline(&file, "Door");
    assert_eq!(outline.types.len(), file.all_types().count());
    for decl in file.all_types() {
        assert!(!set.get(&decl.full_name()).is_empty());
        let _ = declares_class(&source, &decl.name);
    }
    let _ = ClassIdentifier::parse(&source);
}

fn visit(file: &ScriptFile, source: &str) {
    let lines = source.bytes().filter(|byte| *byte == b'\n').count() as u32 + 1;
    for problem in &file.problems {
        assert!((1..=lines).contains(&problem.line) && problem.column > 0, "{problem:?}");
        assert!(!problem.message.is_empty());
    }
    let mut declared = 0;
    let mut check = |about: &About| {
        declared += 1;
        assert!((1..=lines).contains(&about.line), "line {} of {lines}", about.line);
    };
    for decl in file.all_types() {
        check(&decl.about);
        assert!((decl.about.line..=lines).contains(&decl.end_line));
        let _ = (decl.access(), decl.member_access(decl.about.modifiers));
        decl.fields.iter().for_each(|field| check(&field.about));
        decl.properties.iter().for_each(|property| check(&property.about));
        decl.methods.iter().for_each(|method| check(&method.about));
        decl.events.iter().for_each(|event| check(&event.about));
        decl.enum_members.iter().for_each(|member| check(&member.about));
    }
    assert!(declared + file.usings.len() <= source.len());
}
