//! The grammar of scripts: what may be declared, what may be done, and what has a value.

use super::syntax::{Read, Reader, is_closing};
use super::tokens::Kind;

/// Words that no value starts with.
const RESERVED: &[&str] = &[
    "if",
    "elif",
    "else",
    "for",
    "while",
    "break",
    "continue",
    "pass",
    "return",
    "class",
    "class_name",
    "extends",
    "in",
    "as",
    "is",
    "signal",
    "static",
    "const",
    "enum",
    "var",
    "and",
    "or",
];
const ASSIGNMENTS: &[&str] =
    &["=", "+=", "-=", "*=", "/=", "%=", "**=", "&=", "|=", "^=", "<<=", ">>="];
const OPERATORS: &[&str] = &[
    "+", "-", "*", "/", "%", "**", "&", "|", "^", "<<", ">>", "&&", "||", "==", "!=", "<", ">",
    "<=", ">=",
];

/// Declarations.
impl Reader<'_> {
    /// Something that a class has.
    pub(super) fn member(&mut self) -> Read {
        if self.is("@") {
            return self.annotation(Self::member);
        }
        match self.peek() {
            Kind::Word(word) => self.declaration(word),
            // A text that stands alone is a comment.
            Kind::Text => {
                self.pass();
                self.end()
            }
            _ => self.wrong("a declaration is expected here"),
        }
    }

    fn declaration(&mut self, word: &str) -> Read {
        match word {
            "static" => {
                self.pass();
                match self.peek() {
                    Kind::Word("func" | "var") => self.member(),
                    _ => self.wrong("`func` or `var` is expected here"),
                }
            }
            "var" => self.variable(),
            "const" => self.constant(),
            "func" => self.function(),
            "signal" => {
                self.pass();
                self.name()?;
                if self.take("(") {
                    self.list(")", Self::parameter)?;
                }
                self.end()
            }
            "enum" => self.enumeration(),
            "class" => {
                self.pass();
                self.name()?;
                if self.is_word("extends") {
                    self.base()?;
                }
                self.expect(":")?;
                self.body(Self::member)
            }
            "class_name" => {
                self.pass();
                self.name()?;
                if self.is_word("extends") {
                    self.base()?;
                }
                self.end()
            }
            "extends" => {
                self.base()?;
                self.end()
            }
            "pass" => {
                self.pass();
                self.end()
            }
            _ => self.wrong("a declaration is expected here"),
        }
    }

    /// An annotation, and what it stands before when that is on the same line.
    fn annotation(&mut self, next: fn(&mut Self) -> Read) -> Read {
        self.expect("@")?;
        self.is_abstract |= self.is_word("abstract");
        self.name()?;
        if self.take("(") {
            self.list(")", Self::value)?;
        }
        match self.peek() {
            Kind::Line(_) | Kind::End => Ok(()),
            Kind::Sign(";") => self.end(),
            _ => self.deeper(next),
        }
    }

    fn base(&mut self) -> Read {
        self.pass();
        if self.peek() == Kind::Text {
            self.pass();
        } else {
            self.name()?;
        }
        while self.take(".") {
            self.name()?;
        }
        Ok(())
    }

    fn variable(&mut self) -> Read {
        self.pass();
        self.name()?;
        if self.take(":") {
            let is_property = matches!(self.peek(), Kind::Word("set" | "get") | Kind::Line(_));
            if is_property {
                return self.property();
            }
            if !self.is("=") {
                self.type_name()?;
            }
        }
        if self.take("=") {
            self.value()?;
        }
        match self.take(":") {
            true => self.property(),
            false => self.end(),
        }
    }

    /// How a variable is set and read: below it, or behind it on the line.
    fn property(&mut self) -> Read {
        if matches!(self.peek(), Kind::Line(_)) {
            return self.body(Self::accessor);
        }
        loop {
            self.accessor()?;
            let more = matches!(self.peek(), Kind::Word("set" | "get"));
            let below = matches!(self.peek(), Kind::Line(_))
                && matches!(self.ahead(1), Kind::Word("set" | "get"));
            match (more, below) {
                (true, _) => {}
                (_, true) => drop(self.pass()),
                _ => return self.end(),
            }
        }
    }

    fn accessor(&mut self) -> Read {
        if !matches!(self.peek(), Kind::Word("set" | "get")) {
            return self.wrong("`set` or `get` is expected here");
        }
        self.pass();
        if self.take("=") {
            self.name()?;
        } else {
            if self.take("(") {
                self.list(")", Self::parameter)?;
            }
            if self.take("->") {
                self.type_name()?;
            }
            self.expect(":")?;
            self.body(Self::statement)?;
        }
        self.take(",");
        Ok(())
    }

    fn constant(&mut self) -> Read {
        self.pass();
        self.name()?;
        if self.take(":") && !self.is("=") {
            self.type_name()?;
        }
        self.expect("=")?;
        self.value()?;
        self.end()
    }

    fn enumeration(&mut self) -> Read {
        self.pass();
        if !self.is("{") {
            self.name()?;
        }
        // The bracket may stand on the next line.
        if matches!(self.peek(), Kind::Line(_)) && self.ahead(1) == Kind::Sign("{") {
            self.pass();
        }
        self.expect("{")?;
        self.list("}", |reader| {
            reader.name()?;
            if reader.take("=") {
                reader.value()?;
            }
            Ok(())
        })?;
        self.end()
    }

    fn function(&mut self) -> Read {
        self.pass();
        self.name()?;
        self.signature()?;
        let is_abstract = std::mem::take(&mut self.is_abstract);
        if is_abstract && !self.is(":") {
            return self.end();
        }
        self.expect(":")?;
        self.body(Self::statement)
    }

    fn signature(&mut self) -> Read {
        self.expect("(")?;
        self.list(")", Self::parameter)?;
        if self.take("->") {
            self.type_name()?;
        }
        Ok(())
    }

    fn parameter(&mut self) -> Read {
        self.take("...");
        self.name()?;
        if self.take(":") && !self.is("=") {
            self.type_name()?;
        }
        if self.take("=") {
            self.value()?;
        }
        Ok(())
    }

    fn type_name(&mut self) -> Read {
        self.name()?;
        while self.take(".") {
            self.name()?;
        }
        match self.take("[") {
            true => self.list("]", Self::type_name),
            false => Ok(()),
        }
    }
}

/// Statements.
impl Reader<'_> {
    pub(super) fn statement(&mut self) -> Read {
        if self.is("@") {
            return self.annotation(Self::statement);
        }
        let Kind::Word(word) = self.peek() else { return self.expression_statement() };
        match word {
            "var" => self.variable(),
            "const" => self.constant(),
            "if" => self.condition(),
            "while" => {
                self.pass();
                self.value()?;
                self.expect(":")?;
                self.body(Self::statement)
            }
            "for" => self.each(),
            "match" => {
                self.pass();
                self.value()?;
                self.expect(":")?;
                self.body(Self::branch)
            }
            "pass" | "break" | "continue" | "breakpoint" => {
                self.pass();
                self.end()
            }
            "return" => {
                self.pass();
                let is_bare = match self.peek() {
                    Kind::Line(_) | Kind::End | Kind::Sign(";") => true,
                    next => self.lambdas > 0 && is_closing(next),
                };
                if !is_bare {
                    self.value()?;
                }
                self.end()
            }
            _ => self.expression_statement(),
        }
    }

    fn expression_statement(&mut self) -> Read {
        self.value()?;
        if let Kind::Sign(sign) = self.peek()
            && ASSIGNMENTS.contains(&sign)
        {
            self.pass();
            self.value()?;
        }
        self.end()
    }

    fn condition(&mut self) -> Read {
        let indent = self.indent;
        self.pass();
        loop {
            self.value()?;
            self.expect(":")?;
            self.body(Self::statement)?;
            let next = self.ahead(1);
            if self.peek() != Kind::Line(indent) || !matches!(next, Kind::Word("elif" | "else")) {
                return Ok(());
            }
            self.pass();
            self.pass();
            if next == Kind::Word("else") {
                self.expect(":")?;
                return self.body(Self::statement);
            }
        }
    }

    fn each(&mut self) -> Read {
        self.pass();
        self.name()?;
        if self.take(":") {
            self.type_name()?;
        }
        if !self.take_word("in") {
            return self.wrong("`in` is expected here");
        }
        self.value()?;
        self.expect(":")?;
        self.body(Self::statement)
    }

    fn branch(&mut self) -> Read {
        if self.is("@") {
            return self.annotation(Self::branch);
        }
        if self.take_word("pass") {
            return self.end();
        }
        loop {
            self.pattern()?;
            if !self.take(",") {
                break;
            }
        }
        if self.take_word("when") {
            self.value()?;
        }
        self.expect(":")?;
        self.body(Self::statement)
    }

    fn pattern(&mut self) -> Read {
        if self.take_word("var") {
            return self.name();
        }
        if self.take("..") {
            return Ok(());
        }
        if self.take("[") {
            return self.list("]", Self::pattern);
        }
        if self.take("{") {
            return self.list("}", |reader| {
                reader.pattern()?;
                match reader.take(":") {
                    true => reader.pattern(),
                    false => Ok(()),
                }
            });
        }
        self.value()
    }
}

/// Values.
impl Reader<'_> {
    /// An expression. What binds more than what does not matter for whether it can be read.
    pub(super) fn value(&mut self) -> Read {
        self.deeper(|reader| {
            loop {
                reader.operand()?;
                if !reader.operator()? {
                    return Ok(());
                }
            }
        })
    }

    /// Pass what stands between two operands, and whether there is another one.
    fn operator(&mut self) -> Read<bool> {
        match self.peek() {
            Kind::Sign(sign) if OPERATORS.contains(&sign) => drop(self.pass()),
            Kind::Word("and" | "or" | "in") => drop(self.pass()),
            Kind::Word("not") if self.ahead(1) == Kind::Word("in") => {
                self.pass();
                self.pass();
            }
            Kind::Word(word @ ("is" | "as")) => {
                self.pass();
                if word == "is" {
                    self.take_word("not");
                }
                self.type_name()?;
                self.after()?;
                return self.operator();
            }
            Kind::Word("if") => {
                self.pass();
                self.value()?;
                if !self.take_word("else") {
                    return self.wrong("`else` is expected here");
                }
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn operand(&mut self) -> Read {
        while matches!(self.peek(), Kind::Sign("-" | "+" | "~" | "!") | Kind::Word("not" | "await"))
        {
            self.pass();
        }
        self.primary()?;
        self.after()
    }

    /// Calls, members and items.
    fn after(&mut self) -> Read {
        loop {
            if self.take(".") {
                self.name()?;
            } else if self.take("(") {
                self.list(")", Self::value)?;
            } else if self.take("[") {
                self.bracketed("]", Self::value)?;
            } else {
                return Ok(());
            }
        }
    }

    fn primary(&mut self) -> Read {
        match self.peek() {
            Kind::Number | Kind::Text => {
                self.pass();
                Ok(())
            }
            Kind::Word("func") => self.lambda(),
            Kind::Word(word) if !RESERVED.contains(&word) => {
                self.pass();
                Ok(())
            }
            Kind::Sign("(") => {
                self.pass();
                self.bracketed(")", Self::value)
            }
            Kind::Sign("[") => {
                self.pass();
                self.list("]", Self::value)
            }
            Kind::Sign("{") => {
                self.pass();
                self.list("}", |reader| {
                    reader.value()?;
                    if !reader.take("=") {
                        reader.expect(":")?;
                    }
                    reader.value()
                })
            }
            Kind::Sign("$" | "%") => self.node_path(),
            _ => self.wrong("a value is expected here"),
        }
    }

    /// `$A/B`, `$"A B"`, `$%Name/B`, `%Name`.
    fn node_path(&mut self) -> Read {
        self.pass();
        loop {
            while self.take("/") || self.take("%") {}
            match self.peek() {
                Kind::Word(_) | Kind::Text | Kind::Sign("." | "..") => drop(self.pass()),
                _ => return self.wrong("the path of a node is expected here"),
            }
            if !self.is("/") {
                return Ok(());
            }
        }
    }

    fn lambda(&mut self) -> Read {
        self.pass();
        if !self.is("(") {
            self.name()?;
        }
        self.signature()?;
        self.expect(":")?;
        let before = std::mem::replace(&mut self.lines_count, true);
        self.lambdas += 1;
        let result = self.body(Self::statement);
        self.lambdas -= 1;
        self.lines_count = before;
        result
    }
}
