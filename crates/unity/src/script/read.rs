//! From a source to its declarations.
//!
//! The parser is tree-sitter's, which never refuses: after an error it guesses, and a guess inside
//! one method can swallow the rest of a class. So a source with errors is read a second time with
//! the statements of its methods taken out (`scan::skeleton`), where there is little left to guess,
//! and only the problems come from the first reading. Both readings have a time limit, for the
//! grammar is ambiguous.

use std::borrow::Cow;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use tree_sitter::{Node, ParseOptions, Parser, Tree};

use super::{scan, *};

mod constant;
mod members;
mod problems;

/// Namespaces, types and `#if` inside each other beyond this are not read.
const MAX_DEPTH: usize = 64;
/// The longest a source may take; ordinary ones take a few milliseconds.
const PATIENCE: Duration = Duration::from_secs(3);

/// Reads a C# source. What is not understood becomes a problem beside what is.
pub fn parse(source: &str) -> ScriptFile {
    let mut problems = Vec::new();
    let Some(source) = readable(source, &mut problems) else {
        return ScriptFile { problems, ..ScriptFile::default() };
    };
    let start = Instant::now();
    let mut whole = tree(&source, start + PATIENCE);
    if let Some(tree) = &whole
        && !tree.root_node().has_error()
    {
        return read(&source, tree, true, problems);
    }
    // A branch of an `#if` may hold half a declaration, which only reads with the others gone.
    let chosen = scan::editor_branches(&source);
    if let Some(chosen) = &chosen {
        whole = tree(chosen, start + PATIENCE);
    }
    let source = chosen.as_deref().unwrap_or(&source);
    let (bones, unclosed) = scan::skeleton(source);
    match &whole {
        Some(tree) if !tree.root_node().has_error() => return read(source, tree, true, problems),
        Some(tree) => problems::add(source, tree, unclosed, &mut problems),
        None => {
            let message = "the source took too long to read; methods were passed over";
            problems.push(scan::problem_at(source, 0, message.into()));
        }
    }
    match (tree(&bones, start + 2 * PATIENCE), &whole) {
        (Some(tree), _) => read(&bones, &tree, false, problems),
        (None, Some(tree)) => read(source, tree, false, problems),
        (None, None) => ScriptFile { problems, ..ScriptFile::default() },
    }
}

/// Reads the declarations of a C# source and passes over the statements of its methods: for files
/// of long methods four times as fast. Errors in those statements are not seen.
pub fn parse_declarations(source: &str) -> ScriptFile {
    let mut problems = Vec::new();
    let Some(readable) = readable(source, &mut problems) else {
        return ScriptFile { problems, ..ScriptFile::default() };
    };
    let (bones, _) = scan::skeleton(&readable);
    match tree(&bones, Instant::now() + PATIENCE) {
        Some(tree) if !tree.root_node().has_error() => read(&bones, &tree, false, problems),
        _ => parse(source),
    }
}

/// The part of a source that can be read, unless it is too large.
fn readable<'s>(source: &'s str, problems: &mut Vec<Problem>) -> Option<Cow<'s, str>> {
    let source = source.strip_prefix('\u{feff}').unwrap_or(source);
    if source.len() > MAX_SOURCE_BYTES {
        let message = format!(
            "the source has {} bytes, and sources of more than {MAX_SOURCE_BYTES} bytes are not read",
            source.len()
        );
        problems.push(scan::problem_at(source, 0, message));
        return None;
    }
    Some(scan::without_tangles(source, problems).map_or(Cow::Borrowed(source), Cow::Owned))
}

/// Reads a C# source from its bytes; those that are not UTF-8 become `\u{fffd}`.
pub fn parse_bytes(bytes: &[u8]) -> ScriptFile {
    parse(&String::from_utf8_lossy(bytes))
}

fn tree(source: &str, until: Instant) -> Option<Tree> {
    let mut parser = Parser::new();
    parser
        .set_language(&tree_sitter_c_sharp::LANGUAGE.into())
        .expect("the grammar fits the parser");
    let mut go_on = |_: &_| match Instant::now() > until {
        true => ControlFlow::Break(()),
        false => ControlFlow::Continue(()),
    };
    let bytes = source.as_bytes();
    let mut text = |at: usize, _| bytes.get(at..).unwrap_or_default();
    parser.parse_with_options(
        &mut text,
        None,
        Some(ParseOptions::new().progress_callback(&mut go_on)),
    )
}

/// The declarations of a tree, and whether the statements of methods are in it.
fn read(source: &str, tree: &Tree, is_whole: bool, problems: Vec<Problem>) -> ScriptFile {
    let (usings, namespaces) = (Vec::new(), Vec::new());
    let mut reader = Reader { source, is_whole, usings, namespaces, problems };
    // The file is read like a type, so that one function reads every kind of body.
    let mut file = empty_type(TypeKind::Class, &Scope::default());
    reader.body(tree.root_node(), Scope::default(), &[], &mut file);
    let Reader { usings, namespaces, problems, .. } = reader;
    ScriptFile { usings, namespaces, types: file.types, problems }
}

/// Where a declaration stands.
#[derive(Clone, Default)]
struct Scope {
    namespace: Arc<str>,
    outer: Arc<str>,
    condition: Option<Arc<str>>,
    depth: usize,
}

struct Reader<'s> {
    source: &'s str,
    is_whole: bool,
    usings: Vec<Using>,
    namespaces: Vec<Arc<str>>,
    problems: Vec<Problem>,
}

fn empty_type(kind: TypeKind, scope: &Scope) -> TypeDecl {
    TypeDecl {
        kind,
        namespace: scope.namespace.clone(),
        outer: scope.outer.clone(),
        name: String::new(),
        type_parameters: Vec::new(),
        bases: Vec::new(),
        parameters: Vec::new(),
        returns: None,
        about: About { condition: scope.condition.clone(), ..About::default() },
        end_line: 0,
        fields: Vec::new(),
        properties: Vec::new(),
        methods: Vec::new(),
        events: Vec::new(),
        enum_members: Vec::new(),
        types: Vec::new(),
    }
}

fn joined(first: &str, second: &str) -> Arc<str> {
    match (first, second) {
        ("", one) | (one, "") => one.into(),
        _ => format!("{first}.{second}").into(),
    }
}

fn children<'t>(node: Node<'t>) -> Vec<Node<'t>> {
    node.children(&mut node.walk()).collect()
}

impl Reader<'_> {
    fn text(&self, node: Node<'_>) -> &str {
        self.source.get(node.byte_range()).unwrap_or_default()
    }

    /// Text that a reader sees: on one line, and not endless.
    fn shown(&self, node: Node<'_>) -> String {
        let text = self.text(node);
        text::cut(
            if text.contains('\n') { text::one_line(text) } else { text.trim().to_owned() },
            1000,
        )
    }

    fn field(&self, node: Node<'_>, name: &str) -> String {
        node.child_by_field_name(name).map(|n| self.shown(n)).unwrap_or_default()
    }

    /// Reads the declarations that stand directly in a node, except these children.
    fn body(
        &mut self,
        node: Node<'_>,
        mut scope: Scope,
        skip: &[Option<Node<'_>>],
        into: &mut TypeDecl,
    ) {
        if scope.depth > MAX_DEPTH {
            let at = node.start_byte();
            let message = "nested too deeply, what stands inside was not read";
            self.problems.push(scan::problem_at(self.source, at, message.into()));
            return;
        }
        let mut comment: Option<(usize, usize)> = None;
        let mut recovered: Option<TypeDecl> = None;
        let mut word = "";
        for child in children(node).into_iter().filter(|child| !skip.contains(&Some(*child))) {
            let kind = child.kind();
            if kind == "comment" {
                let text = self.text(child);
                // Four slashes are an ordinary comment.
                let lines = text.starts_with("///") && !text.starts_with("////");
                if lines || text.starts_with("/**") {
                    comment = Some((comment.map_or(child.start_byte(), |c| c.0), child.end_byte()));
                }
                continue;
            }
            if kind == "file_scoped_namespace_declaration" {
                scope.namespace = joined(&scope.namespace, &self.field(child, "name"));
                self.namespace(&scope.namespace);
            } else if node.is_error() && kind == "identifier" && matches!(word, "class" | "struct")
            {
                // A type that is never closed has no node of its own, only its words and members.
                into.types.extend(recovered.take());
                let kind = if word == "class" { TypeKind::Class } else { TypeKind::Struct };
                let mut decl = empty_type(kind, &scope);
                decl.name = self.shown(child);
                decl.about.line = line(child);
                decl.end_line = node.end_position().row as u32 + 1;
                recovered = Some(decl);
            } else if child.is_named() {
                let summary =
                    comment.and_then(|(start, end)| text::summary(self.source.get(start..end)?));
                let mut within = scope.clone();
                if let Some(decl) = &recovered {
                    within.outer = joined(&decl.outer, &decl.name);
                }
                let into = recovered.as_mut().unwrap_or(&mut *into);
                self.declaration(child, within, summary, into);
            }
            word = kind;
            if !kind.starts_with("preproc_region") {
                comment = None;
            }
        }
        into.types.extend(recovered);
    }

    fn declaration(
        &mut self,
        node: Node<'_>,
        mut scope: Scope,
        summary: Option<String>,
        into: &mut TypeDecl,
    ) {
        let deeper = |scope: &Scope| Scope { depth: scope.depth + 1, ..scope.clone() };
        match node.kind() {
            "using_directive" => self.using(node, &scope),
            "namespace_declaration" => {
                scope.namespace = joined(&scope.namespace, &self.field(node, "name"));
                self.namespace(&scope.namespace);
                if let Some(body) = node.child_by_field_name("body") {
                    self.body(body, deeper(&scope), &[], into);
                }
            }
            "preproc_if" | "preproc_elif" | "preproc_else" => {
                self.branches(node, &deeper(&scope), into);
            }
            "base_list" => into.bases.extend(self.bases(node)),
            "ERROR" | "declaration_list" => self.body(node, deeper(&scope), &[], into),
            "class_declaration"
            | "struct_declaration"
            | "interface_declaration"
            | "enum_declaration"
            | "record_declaration"
            | "delegate_declaration" => {
                let decl = self.type_decl(node, &scope, summary);
                into.types.push(decl);
            }
            _ => self.member(node, &scope, summary, into),
        }
    }

    /// An `#if` and its other branches, each of which the grammar puts inside the one before.
    fn branches(&mut self, node: Node<'_>, scope: &Scope, into: &mut TypeDecl) {
        let mut before: Vec<String> = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next {
            next = node.child_by_field_name("alternative");
            let test = node.child_by_field_name("condition");
            let own = match test {
                Some(test) => self.shown(test),
                None => before.iter().map(|c| format!("!({c})")).collect::<Vec<_>>().join(" && "),
            };
            let all = match &scope.condition {
                Some(outside) => format!("{outside} && {own}"),
                None => own.clone(),
            };
            // The text is for people; a chain longer than this is cut.
            if before.len() < 8 {
                before.push(own);
            }
            let condition = Some(text::cut(all, 300).into());
            self.body(node, Scope { condition, ..scope.clone() }, &[test, next], into);
        }
    }

    fn namespace(&mut self, name: &Arc<str>) {
        // A file with more namespaces than this was not written by a person.
        if self.namespaces.len() < 1000 && !self.namespaces.contains(name) {
            self.namespaces.push(name.clone());
        }
    }

    fn using(&mut self, node: Node<'_>, scope: &Scope) {
        let alias = node.child_by_field_name("name");
        let parts = children(node);
        let Some(name) = parts.iter().rev().find(|n| n.is_named() && n.kind() != "comment") else {
            return;
        };
        self.usings.push(Using {
            name: self.shown(*name),
            alias: alias.map(|n| self.shown(n)),
            is_static: parts.iter().any(|n| n.kind() == "static"),
            within: scope.namespace.clone(),
        });
    }
}

fn line(node: Node<'_>) -> u32 {
    node.start_position().row as u32 + 1
}
