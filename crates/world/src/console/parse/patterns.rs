//! Patterns of `is` and `switch`.

use super::super::lex::Kind;
use super::super::syntax::{Pattern, TypeName};
use super::expressions::RELATIONS;
use super::types::is_keyword_type;
use super::{Parsed, Parser, is_reserved};

/// Patterns joined by `or` or `and`.
const MAX_PATTERNS: usize = 100;

impl Parser<'_> {
    pub(super) fn pattern(&mut self) -> Parsed<Pattern> {
        self.deeper(|parser| {
            let mut left = parser.pattern_all()?;
            for _ in 0..MAX_PATTERNS {
                if !parser.take_word("or") {
                    return Ok(left);
                }
                left = Pattern::Or(Box::new(left), Box::new(parser.pattern_all()?));
            }
            Err(parser.error("the pattern is too long; use a list and Contains"))
        })
    }

    fn pattern_all(&mut self) -> Parsed<Pattern> {
        let mut left = self.pattern_one()?;
        for _ in 0..MAX_PATTERNS {
            if !self.take_word("and") {
                return Ok(left);
            }
            left = Pattern::And(Box::new(left), Box::new(self.pattern_one()?));
        }
        Err(self.error("the pattern is too long"))
    }

    fn pattern_one(&mut self) -> Parsed<Pattern> {
        if self.take_word("not") {
            let inner = self.deeper(Self::pattern_one)?;
            return Ok(Pattern::Not(Box::new(inner)));
        }
        if self.take_word("_") {
            return Ok(Pattern::Any);
        }
        if self.is("{") || self.is("[") {
            let message = "property and list patterns are not supported; use && with members";
            return Err(self.error(message));
        }
        if self.is_word("var") {
            self.at += 1;
            return self.name().map(Pattern::Var);
        }
        for relation in ["<=", ">=", "<", ">"] {
            if self.take(relation) {
                return Ok(Pattern::Relation(relation, self.binary(RELATIONS + 1)?));
            }
        }
        if self.is("(") {
            self.at += 1;
            let inner = self.pattern()?;
            self.expect(")")?;
            return Ok(inner);
        }
        let typed = self.attempt(|parser| {
            let ty = parser.type_without_question()?;
            match parser.kind() {
                Kind::Word(word) if !is_reserved(word) && !is_connective(word) => {
                    parser.at += 1;
                    Some(Pattern::Type(ty, Some(word.clone())))
                }
                _ if is_keyword_type(&ty.name) || !ty.args.is_empty() => {
                    (!parser.is(".")).then_some(Pattern::Type(ty, None))
                }
                _ => None,
            }
        });
        match typed {
            Some(pattern) => Ok(pattern),
            None => self.binary(RELATIONS + 1).map(Pattern::Value),
        }
    }

    /// `x is int ? 1 : 2` has no nullable type in it.
    fn type_without_question(&mut self) -> Option<TypeName> {
        let mut ty = self.simple_type()?;
        while self.is("[") && matches!(self.ahead(1), Kind::Sign("]")) {
            self.at += 2;
            let (at, name) = (ty.at, "[]".to_owned());
            ty = TypeName { at, name, args: vec![ty], nullable: false, names: Vec::new() };
        }
        Some(ty)
    }
}

/// Words between patterns.
fn is_connective(word: &str) -> bool {
    matches!(word, "and" | "or" | "when")
}
