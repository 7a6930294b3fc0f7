//! The grammar of values, told as events in the order of the file; nothing is built, so that
//! passing over a value costs no memory.

use std::ops::Range;

use super::{Fault, Scanner, Token};
use crate::variant::TupleKind;

/// Deeper values are refused. The engine itself writes no more than 100 levels.
pub(crate) const MAX_DEPTH: usize = 256;

/// Values of more parts are refused: each takes about a hundred bytes once somebody asks for it.
pub(crate) const MAX_PARTS: usize = 1_000_000;
/// The same for the numbers of a packed array, which take less. Bytes are not counted.
pub(crate) const MAX_NUMBERS: usize = 3_000_000;

/// A part of a value, told in the order of the file.
#[derive(Debug)]
pub(crate) enum Event {
    Word(Word),
    Number(Range<usize>),
    /// With its quotes.
    String(Range<usize>),
    StringName(Range<usize>),
    Color(Range<usize>),
    /// The name of a type in `Array[…]` or `Dictionary[…]`, or the class of an `Object(…)`.
    Type(Range<usize>),
    Open(Group),
    Close,
}

/// A value that is a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Word {
    Null,
    True,
    False,
    Inf,
    NegInf,
    Nan,
}

/// A value with others inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    /// Items in turn.
    Array,
    /// Keys and values in turn.
    Dictionary,
    /// A type and an array.
    TypedArray,
    /// Two types and a dictionary.
    TypedDictionary,
    /// Numbers.
    Tuple(TupleKind),
    /// Numbers, or one string in base 64.
    Bytes,
    Strings,
    NodePath,
    Rid,
    Signal,
    Callable,
    /// The class, then keys and values in turn.
    Object,
    /// One or two strings.
    Resource,
    /// A string or a number, as in the next.
    SubResource,
    ExtResource,
}

/// Takes the parts of values.
pub(crate) trait Sink {
    fn event(&mut self, event: Event);
}

/// Reads the value whose first token is next; the place is behind it then.
#[inline]
pub(crate) fn value<S: Sink>(scanner: &mut Scanner<'_>, sink: &mut S) -> Result<(), Fault> {
    let token = scanner.next()?;
    Reader { scanner, sink, parts: 0 }.value(token, 0)
}

struct Reader<'r, 'a, S> {
    scanner: &'r mut Scanner<'a>,
    sink: &'r mut S,
    /// How many were told so far.
    parts: usize,
}

impl<S: Sink> Reader<'_, '_, S> {
    #[inline]
    fn tell(&mut self, event: fn(Range<usize>) -> Event) {
        self.sink.event(event(self.scanner.start..self.scanner.at));
    }

    fn count(&mut self) -> Result<(), Fault> {
        self.parts += 1;
        if self.parts > MAX_PARTS {
            let message = format!("a value of more than {MAX_PARTS} parts is not read");
            return Err(Fault::limit(self.scanner.start, message));
        }
        Ok(())
    }

    fn value(&mut self, token: Token, depth: usize) -> Result<(), Fault> {
        self.count()?;
        match token {
            Token::Number => self.tell(Event::Number),
            Token::String => self.tell(Event::String),
            Token::StringName => self.tell(Event::StringName),
            Token::Color => self.tell(Event::Color),
            Token::Identifier => return self.identifier(depth),
            Token::Mark(b'[') => return self.array(depth),
            Token::Mark(b'{') => return self.dictionary(depth),
            _ => return Err(self.scanner.unexpected("a value")),
        }
        Ok(())
    }

    fn identifier(&mut self, depth: usize) -> Result<(), Fault> {
        let name = self.scanner.token_text();
        if let Some(word) = word(name) {
            self.sink.event(Event::Word(word));
            return Ok(());
        }
        match name {
            b"NodePath" => self.node_path(),
            b"ExtResource" => self.reference(Group::ExtResource),
            b"SubResource" => self.reference(Group::SubResource),
            b"Resource" => self.resource(),
            b"Array" => self.typed(Group::TypedArray, depth),
            b"Dictionary" => self.typed(Group::TypedDictionary, depth),
            b"PackedStringArray" | b"PoolStringArray" | b"StringArray" => self.strings(),
            b"PackedByteArray" | b"PoolByteArray" | b"ByteArray" => self.bytes(),
            b"Object" => self.object(depth),
            b"RID" => self.rid(),
            b"Signal" => self.empty(Group::Signal),
            b"Callable" => self.empty(Group::Callable),
            _ => match TupleKind::of_name(name) {
                Some(kind) => self.tuple(kind),
                None => Err(self.scanner.fault_of_name()),
            },
        }
    }

    fn open(&mut self, group: Group) -> Result<(), Fault> {
        self.scanner.expect(b'(')?;
        self.sink.event(Event::Open(group));
        Ok(())
    }

    fn close(&mut self) {
        self.sink.event(Event::Close);
    }

    fn deeper(&self, depth: usize) -> Result<usize, Fault> {
        if depth >= MAX_DEPTH {
            let message = format!("values nest deeper than {MAX_DEPTH} levels");
            return Err(Fault::new(self.scanner.start, message));
        }
        Ok(depth + 1)
    }

    /// The items of `[…]` behind its bracket; a comma may follow the last one.
    fn array(&mut self, depth: usize) -> Result<(), Fault> {
        let depth = self.deeper(depth)?;
        self.sink.event(Event::Open(Group::Array));
        loop {
            match self.scanner.next()? {
                Token::Mark(b']') => break,
                token => self.value(token, depth)?,
            }
            match self.scanner.next()? {
                Token::Mark(b',') => {}
                Token::Mark(b']') => break,
                _ => return Err(self.scanner.unexpected("`,` or `]`")),
            }
        }
        self.close();
        Ok(())
    }

    fn dictionary(&mut self, depth: usize) -> Result<(), Fault> {
        self.sink.event(Event::Open(Group::Dictionary));
        self.entries(b'}', depth)
    }

    /// Keys and values up to a closing mark; a comma may follow the last one.
    fn entries(&mut self, end: u8, depth: usize) -> Result<(), Fault> {
        let depth = self.deeper(depth)?;
        loop {
            match self.scanner.next()? {
                Token::Mark(mark) if mark == end => break,
                Token::String if end == b')' => self.tell(Event::String),
                _ if end == b')' => return Err(self.scanner.unexpected("the name of a property")),
                token => self.value(token, depth)?,
            }
            self.scanner.expect(b':')?;
            let token = self.scanner.next()?;
            self.value(token, depth)?;
            match self.scanner.next()? {
                Token::Mark(b',') => {}
                Token::Mark(mark) if mark == end => break,
                _ => return Err(self.scanner.unexpected(&format!("`,` or `{}`", char::from(end)))),
            }
        }
        self.close();
        Ok(())
    }

    fn tuple(&mut self, kind: TupleKind) -> Result<(), Fault> {
        let start = self.scanner.start;
        self.open(Group::Tuple(kind))?;
        let count = self.numbers()?;
        if count > MAX_NUMBERS {
            let message = format!("a value of more than {MAX_NUMBERS} numbers is not read");
            return Err(Fault::limit(start, message));
        }
        if let Some(wanted) = kind.arity().filter(|wanted| *wanted != count) {
            let message = format!("{} takes {wanted} numbers, not {count}", kind.name());
            return Err(Fault::new(start, message));
        }
        self.close();
        Ok(())
    }

    /// Numbers up to `)`. No comma may follow the last one.
    fn numbers(&mut self) -> Result<usize, Fault> {
        let mut count = 0;
        loop {
            // Big scenes are mostly numbers, and nearly all of them are plain.
            while self.scanner.plain_number() {
                self.tell(Event::Number);
                self.scanner.at += 1;
                count += 1;
            }
            match self.scanner.next()? {
                Token::Mark(b')') if count == 0 => return Ok(0),
                token => self.number(token)?,
            }
            count += 1;
            match self.scanner.next()? {
                Token::Mark(b',') => {}
                Token::Mark(b')') => return Ok(count),
                _ => return Err(self.scanner.unexpected("`,` or `)`")),
            }
        }
    }

    fn number(&mut self, token: Token) -> Result<(), Fault> {
        let word = match token {
            Token::Number => {
                self.tell(Event::Number);
                return Ok(());
            }
            Token::Identifier => word(self.scanner.token_text()),
            _ => None,
        };
        match word {
            Some(word @ (Word::Inf | Word::NegInf | Word::Nan)) => {
                self.sink.event(Event::Word(word));
                Ok(())
            }
            _ => Err(self.scanner.unexpected("a number")),
        }
    }

    fn bytes(&mut self) -> Result<(), Fault> {
        self.open(Group::Bytes)?;
        self.scanner.skip_blank();
        if self.scanner.peek() == b'"' {
            self.scanner.next()?;
            if !is_base64(self.scanner.token_text()) {
                return Err(Fault::new(self.scanner.start, "the text is not base 64"));
            }
            self.tell(Event::String);
            self.scanner.expect(b')')?;
        } else {
            self.numbers()?;
        }
        self.close();
        Ok(())
    }

    fn strings(&mut self) -> Result<(), Fault> {
        self.open(Group::Strings)?;
        loop {
            match self.scanner.next()? {
                Token::Mark(b')') => break,
                Token::String => self.tell(Event::String),
                _ => return Err(self.scanner.unexpected("a text or `)`")),
            }
            self.count()?;
            match self.scanner.next()? {
                Token::Mark(b',') => {}
                Token::Mark(b')') => break,
                _ => return Err(self.scanner.unexpected("`,` or `)`")),
            }
        }
        self.close();
        Ok(())
    }

    fn node_path(&mut self) -> Result<(), Fault> {
        self.open(Group::NodePath)?;
        self.one_string()?;
        self.end_group()
    }

    fn one_string(&mut self) -> Result<(), Fault> {
        match self.scanner.next()? {
            Token::String => self.tell(Event::String),
            _ => return Err(self.scanner.unexpected("a text")),
        }
        Ok(())
    }

    fn end_group(&mut self) -> Result<(), Fault> {
        self.scanner.expect(b')')?;
        self.close();
        Ok(())
    }

    fn reference(&mut self, group: Group) -> Result<(), Fault> {
        self.open(group)?;
        match self.scanner.next()? {
            Token::String => self.tell(Event::String),
            Token::Number => self.tell(Event::Number),
            _ => return Err(self.scanner.unexpected("an id")),
        }
        self.end_group()
    }

    /// A path, a uid, or both.
    fn resource(&mut self) -> Result<(), Fault> {
        self.open(Group::Resource)?;
        self.one_string()?;
        self.scanner.skip_blank();
        if self.scanner.peek() == b',' {
            self.scanner.next()?;
            self.one_string()?;
        }
        self.end_group()
    }

    fn rid(&mut self) -> Result<(), Fault> {
        self.open(Group::Rid)?;
        match self.scanner.next()? {
            Token::Mark(b')') => {
                self.close();
                return Ok(());
            }
            Token::Number => self.tell(Event::Number),
            _ => return Err(self.scanner.unexpected("a number or `)`")),
        }
        self.end_group()
    }

    fn empty(&mut self, group: Group) -> Result<(), Fault> {
        self.open(group)?;
        self.end_group()
    }

    fn object(&mut self, depth: usize) -> Result<(), Fault> {
        self.open(Group::Object)?;
        match self.scanner.next()? {
            Token::Identifier => self.tell(Event::Type),
            _ => return Err(self.scanner.unexpected("the class of an object")),
        }
        self.scanner.expect(b',')?;
        self.entries(b')', depth)
    }

    /// `Array[T]([…])` and `Dictionary[K, V]({…})`.
    fn typed(&mut self, group: Group, depth: usize) -> Result<(), Fault> {
        let depth = self.deeper(depth)?;
        self.scanner.expect(b'[')?;
        self.sink.event(Event::Open(group));
        self.type_name()?;
        if group == Group::TypedDictionary {
            self.scanner.expect(b',')?;
            self.type_name()?;
        }
        self.scanner.expect(b']')?;
        self.scanner.expect(b'(')?;
        if group == Group::TypedArray {
            self.scanner.expect(b'[')?;
            self.array(depth)?;
        } else {
            self.scanner.expect(b'{')?;
            self.dictionary(depth)?;
        }
        self.end_group()
    }

    /// The name of a type, or a script.
    fn type_name(&mut self) -> Result<(), Fault> {
        let Token::Identifier = self.scanner.next()? else {
            return Err(self.scanner.unexpected("the name of a type"));
        };
        let (start, end) = (self.scanner.start, self.scanner.at);
        self.scanner.skip_blank();
        if self.scanner.peek() == b'(' {
            match &self.scanner.bytes[start..end] {
                b"ExtResource" => return self.reference(Group::ExtResource),
                b"SubResource" => return self.reference(Group::SubResource),
                b"Resource" => return self.resource(),
                _ => {}
            }
        }
        self.sink.event(Event::Type(start..end));
        Ok(())
    }
}

fn word(name: &[u8]) -> Option<Word> {
    Some(match name {
        b"true" => Word::True,
        b"false" => Word::False,
        b"null" | b"nil" => Word::Null,
        b"inf" => Word::Inf,
        b"inf_neg" | b"-inf" => Word::NegInf,
        b"nan" => Word::Nan,
        _ => return None,
    })
}

/// Whole groups of four with `=` only at the end; line breaks may stand between.
fn is_base64(token: &[u8]) -> bool {
    let body = &token[1..token.len() - 1];
    let (mut digits, mut padding) = (0_usize, 0_usize);
    for byte in body {
        match byte {
            b'A'..=b'Z' | b'a'..=b'z' | b'0'..=b'9' | b'+' | b'/' if padding == 0 => digits += 1,
            b'=' => padding += 1,
            b'\r' | b'\n' => {}
            _ => return false,
        }
    }
    padding <= 2 && (digits + padding).is_multiple_of(4)
}
