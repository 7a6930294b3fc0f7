//! Tokens to syntax. C# is parsed by hand because the console takes a part of it only, says of the
//! rest what to use instead, and must read `1 + a?.b` and `(x) - 1` as the compiler does.

mod creation;
mod expressions;
mod patterns;
mod statements;
mod types;

use super::EvalError;
use super::lex::{self, Kind, Token};
use super::syntax::{Expr, ExprKind, Stmt};

/// Levels of statements and expressions inside each other.
const MAX_DEPTH: usize = 120;
/// Levels of an expression such as `a + b + c`, which needs no brackets to be deep.
const MAX_HEIGHT: u16 = 500;

type Parsed<T> = Result<T, EvalError>;

/// Read a script.
pub(super) fn parse(source: &str) -> Parsed<Vec<Stmt>> {
    let tokens = lex::tokens(source)?;
    let mut parser = Parser { source, tokens: &tokens, at: 0, depth: 0, top: true };
    parser.usings()?;
    let mut statements = Vec::new();
    while !parser.is_end() {
        statements.push(parser.statement()?);
    }
    Ok(statements)
}

struct Parser<'s> {
    source: &'s str,
    tokens: &'s [Token],
    at: usize,
    depth: usize,
    /// Whether the statement at hand is one of the script itself, not of a block.
    top: bool,
}

impl<'s> Parser<'s> {
    fn kind(&self) -> &'s Kind {
        self.ahead(0)
    }

    fn ahead(&self, count: usize) -> &'s Kind {
        self.tokens.get(self.at + count).map_or(&Kind::End, |token| &token.kind)
    }

    /// Where the next token begins.
    fn pos(&self) -> u32 {
        let last = self.tokens.last().map_or(0, |token| token.at);
        self.tokens.get(self.at).map_or(last, |token| token.at)
    }

    fn is_end(&self) -> bool {
        matches!(self.kind(), Kind::End)
    }

    fn is(&self, sign: &str) -> bool {
        matches!(self.kind(), Kind::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.kind(), Kind::Word(found) if found == word)
    }

    fn take(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        self.at += usize::from(found);
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        self.at += usize::from(found);
        found
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        match self.take(sign) {
            true => Ok(()),
            false => Err(self.error(&format!("'{sign}' is expected, found {}", self.found()))),
        }
    }

    /// A name that is no word of the language.
    fn name(&mut self) -> Parsed<String> {
        let name = self.try_name();
        name.ok_or_else(|| self.error(&format!("a name is expected, found {}", self.found())))
    }

    /// The same, or nothing and nothing read. An error is not made where it would be thrown away:
    /// finding its line takes as long as the source is.
    fn try_name(&mut self) -> Option<String> {
        match self.kind() {
            Kind::Word(word) if !is_reserved(word) => {
                self.at += 1;
                Some(word.clone())
            }
            _ => None,
        }
    }

    fn found(&self) -> String {
        match self.kind() {
            Kind::Word(word) => format!("'{word}'"),
            Kind::Sign(sign) => format!("'{sign}'"),
            Kind::End => "the end".to_owned(),
            Kind::Text(_) | Kind::Interpolated(_) => "a string".to_owned(),
            Kind::Char(_) => "a character".to_owned(),
            Kind::Int(..) | Kind::Float(_) | Kind::Double(_) => "a number".to_owned(),
        }
    }

    fn error(&self, message: &str) -> EvalError {
        self.error_at(self.pos(), message)
    }

    fn error_at(&self, at: u32, message: &str) -> EvalError {
        EvalError::compile(self.source, at, message)
    }

    /// Go a level deeper.
    fn deeper<T>(&mut self, read: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= MAX_DEPTH {
            return Err(self.error("the code is nested too deep; split it into statements"));
        }
        self.depth += 1;
        let read = read(self);
        self.depth -= 1;
        read
    }

    /// Read something, or go back to where it began.
    fn attempt<T>(&mut self, read: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let start = self.at;
        let found = read(self);
        if found.is_none() {
            self.at = start;
        }
        found
    }

    fn node(&self, at: u32, below: u16, kind: ExprKind) -> Parsed<Expr> {
        if below >= MAX_HEIGHT {
            return Err(self.error_at(at, "the expression is too long; split it into statements"));
        }
        Ok(Expr { at, height: below + 1, kind })
    }
}

/// Words that cannot be names.
fn is_reserved(word: &str) -> bool {
    types::is_keyword_type(word)
        || matches!(
            word,
            "abstract"
                | "as"
                | "base"
                | "break"
                | "case"
                | "catch"
                | "checked"
                | "class"
                | "const"
                | "continue"
                | "default"
                | "delegate"
                | "do"
                | "else"
                | "enum"
                | "event"
                | "explicit"
                | "extern"
                | "false"
                | "finally"
                | "fixed"
                | "for"
                | "foreach"
                | "goto"
                | "if"
                | "implicit"
                | "in"
                | "interface"
                | "internal"
                | "is"
                | "lock"
                | "namespace"
                | "new"
                | "null"
                | "operator"
                | "out"
                | "override"
                | "params"
                | "private"
                | "protected"
                | "public"
                | "readonly"
                | "ref"
                | "return"
                | "sealed"
                | "sizeof"
                | "stackalloc"
                | "static"
                | "struct"
                | "switch"
                | "this"
                | "throw"
                | "true"
                | "try"
                | "typeof"
                | "unchecked"
                | "unsafe"
                | "using"
                | "virtual"
                | "void"
                | "volatile"
                | "while"
        )
}
