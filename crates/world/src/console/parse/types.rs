//! Types as they are written.

use super::super::lex::Kind;
use super::super::syntax::TypeName;
use super::{Parser, is_reserved};

/// Type arguments inside each other beyond this are no types.
const MAX_NESTING: usize = 12;

/// Whether a word of the language is a type.
pub(super) fn is_keyword_type(word: &str) -> bool {
    matches!(
        word,
        "bool"
            | "byte"
            | "sbyte"
            | "short"
            | "ushort"
            | "int"
            | "uint"
            | "long"
            | "ulong"
            | "float"
            | "double"
            | "decimal"
            | "char"
            | "string"
            | "object"
    )
}

impl Parser<'_> {
    /// A type, or nothing and nothing read.
    pub(super) fn try_type(&mut self) -> Option<TypeName> {
        self.attempt(|parser| parser.type_at(0))
    }

    pub(super) fn ty(&mut self) -> super::Parsed<TypeName> {
        let found = self.try_type();
        found.ok_or_else(|| self.error(&format!("a type is expected, found {}", self.found())))
    }

    fn type_at(&mut self, nesting: usize) -> Option<TypeName> {
        if nesting > MAX_NESTING {
            return None;
        }
        let at = self.pos();
        let mut ty = if self.is("(") { self.tuple(nesting)? } else { self.simple(nesting)? };
        loop {
            if self.is("?") && !ty.nullable {
                self.at += 1;
                ty.nullable = true;
            } else if self.is("[") && matches!(self.ahead(1), Kind::Sign("]")) {
                self.at += 2;
                ty = TypeName {
                    at,
                    name: "[]".to_owned(),
                    args: vec![ty],
                    nullable: false,
                    names: Vec::new(),
                };
            } else {
                return Some(ty);
            }
        }
    }

    fn tuple(&mut self, nesting: usize) -> Option<TypeName> {
        let at = self.pos();
        self.at += 1;
        let (mut args, mut names) = (Vec::new(), Vec::new());
        loop {
            args.push(self.type_at(nesting + 1)?);
            names.push(match self.kind() {
                Kind::Word(word) if !is_reserved(word) => {
                    self.at += 1;
                    Some(word.clone())
                }
                _ => None,
            });
            if self.take(")") {
                break;
            }
            if !self.take(",") {
                return None;
            }
        }
        let enough = args.len() > 1;
        enough.then(|| TypeName { at, name: "()".to_owned(), args, nullable: false, names })
    }

    /// A type without `?` and `[]`.
    pub(super) fn simple_type(&mut self) -> Option<TypeName> {
        self.attempt(|parser| parser.simple(0))
    }

    fn simple(&mut self, nesting: usize) -> Option<TypeName> {
        let at = self.pos();
        let mut name = String::new();
        loop {
            let Kind::Word(word) = self.kind() else { return None };
            let keyword = is_keyword_type(word) || (word == "void" && nesting == 0);
            if is_reserved(word) && !(keyword && name.is_empty()) {
                return None;
            }
            self.at += 1;
            name.push_str(word);
            if keyword || !self.is(".") {
                break;
            }
            self.at += 1;
            name.push('.');
        }
        let args = if self.is("<") { self.type_args(nesting)? } else { Vec::new() };
        Some(TypeName { at, name, args, nullable: false, names: Vec::new() })
    }

    fn type_args(&mut self, nesting: usize) -> Option<Vec<TypeName>> {
        self.at += 1;
        let mut args = vec![self.type_at(nesting + 1)?];
        while self.take(",") {
            args.push(self.type_at(nesting + 1)?);
        }
        self.take(">").then_some(args)
    }

    /// `<int>` after a name in an expression, when what follows says that it is no comparison.
    pub(super) fn call_type_args(&mut self) -> Vec<TypeName> {
        if !self.is("<") {
            return Vec::new();
        }
        let found = self.attempt(|parser| {
            let args = parser.type_args(0)?;
            let follows = matches!(
                parser.kind(),
                Kind::Sign("(" | ")" | "]" | "}" | ":" | ";" | "," | "." | "?" | "==" | "!=")
            );
            follows.then_some(args)
        });
        found.unwrap_or_default()
    }
}
