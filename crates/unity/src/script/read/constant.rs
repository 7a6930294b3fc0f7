//! What a constant expression of whole numbers comes to, as members of enums have them.

/// The operators of two sides, those that bind least first.
const BINARY: [&[&str]; 6] = [&["|"], &["^"], &["&"], &["<<", ">>"], &["+", "-"], &["*", "/", "%"]];

/// A number, and the type that C# gives it: without a sign, or of 64 bits.
#[derive(Clone, Copy)]
struct Number {
    value: i64,
    width: Width,
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Width {
    Int,
    UInt,
    Long,
}

/// The number of an expression; `known` has those of other members.
pub(super) fn constant(text: &str, known: &dyn Fn(&str) -> Option<i64>) -> Option<i64> {
    // Deeper ones nobody writes, and each level is a call.
    if text.matches(['(', '~', '-', '+']).count() > 200 {
        return None;
    }
    let mut reader = Reader { rest: text.trim(), known };
    let number = reader.binary(0)?;
    reader.rest.is_empty().then_some(number.value)
}

struct Reader<'t, 'k> {
    rest: &'t str,
    known: &'k dyn Fn(&str) -> Option<i64>,
}

impl Number {
    fn int(value: i64) -> Number {
        let width = match value {
            value if i32::try_from(value).is_ok() => Width::Int,
            value if u32::try_from(value).is_ok() => Width::UInt,
            _ => Width::Long,
        };
        Number { value, width }
    }

    /// As a cast does it that is not checked.
    fn wrapped(value: i64, width: Width) -> Number {
        let value = match width {
            Width::Int => i64::from(value as i32),
            Width::UInt => i64::from(value as u32),
            Width::Long => value,
        };
        Number { value, width }
    }
}

impl Reader<'_, '_> {
    fn eat(&mut self, sign: &str) -> bool {
        let rest = self.rest.strip_prefix(sign);
        self.rest = rest.map_or(self.rest, str::trim_start);
        rest.is_some()
    }

    fn binary(&mut self, level: usize) -> Option<Number> {
        let Some(signs) = BINARY.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = signs.iter().copied().find(|sign| self.eat(sign)) {
            let right = self.binary(level + 1)?;
            left = combined(left, sign, right)?;
        }
        Some(left)
    }

    fn unary(&mut self) -> Option<Number> {
        if self.eat("~") {
            let of = self.unary()?;
            return Some(Number::wrapped(!of.value, of.width));
        }
        if self.eat("-") {
            return Some(Number::int(self.unary()?.value.checked_neg()?));
        }
        if self.eat("+") {
            return self.unary();
        }
        if !self.eat("(") {
            return self.single();
        }
        if let Some((name, behind)) = self.rest.split_once(')')
            && is_cast(name.trim(), behind.trim_start())
        {
            self.rest = behind.trim_start();
            let of = self.unary()?;
            return cast(of, name.trim());
        }
        let inner = self.binary(0)?;
        self.eat(")").then_some(inner)
    }

    fn single(&mut self) -> Option<Number> {
        if let Some(letter) = self.rest.strip_prefix('\'') {
            let skip = usize::from(letter.starts_with('\\'));
            let end = skip + letter.get(skip..)?.chars().next()?.len_utf8();
            let (inner, behind) = letter.split_at(end);
            self.rest = behind.strip_prefix('\'')?.trim_start();
            return character(inner).map(|letter| Number::int(i64::from(u32::from(letter))));
        }
        let end = self.rest.find(|c: char| !(c.is_alphanumeric() || matches!(c, '_' | '.' | '@')));
        let (word, rest) = self.rest.split_at(end.unwrap_or(self.rest.len()));
        self.rest = rest.trim_start();
        match word.starts_with(|c: char| c.is_ascii_digit()) {
            true => literal(word),
            false => self.named(word),
        }
    }

    fn named(&self, word: &str) -> Option<Number> {
        let (of, name) = word.rsplit_once('.').unwrap_or(("", word));
        let limit = |(low, high): (i64, i64)| match name {
            "MaxValue" => Some(high),
            "MinValue" => Some(low),
            _ => None,
        };
        limits(of)
            .and_then(limit)
            .or_else(|| (self.known)(name.trim_start_matches('@')))
            .map(Number::int)
    }
}

fn combined(left: Number, sign: &str, right: Number) -> Option<Number> {
    let (one, other) = (left.value, right.value);
    let width = match sign {
        "<<" | ">>" => left.width,
        _ => left.width.max(right.width),
    };
    let bits = if width == Width::Long { 63 } else { 31 };
    let value = match sign {
        "|" => one | other,
        "^" => one ^ other,
        "&" => one & other,
        "<<" => one.wrapping_shl((other & bits) as u32),
        ">>" => one.wrapping_shr((other & bits) as u32),
        "+" => one.checked_add(other)?,
        "-" => one.checked_sub(other)?,
        "*" => one.checked_mul(other)?,
        "/" => one.checked_div(other)?,
        _ => one.checked_rem(other)?,
    };
    Some(Number::wrapped(value, width))
}

/// `(int)x` and `(Other)x` are casts; `(A) - B` is a difference, unless A is a type of numbers.
fn is_cast(name: &str, behind: &str) -> bool {
    let is_name =
        !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    let is_operand =
        behind.starts_with(|c: char| c.is_alphanumeric() || matches!(c, '_' | '(' | '~' | '\''));
    limits(name).is_some()
        || (is_name && is_operand && !name.starts_with(|c: char| c.is_ascii_digit()))
}

fn cast(of: Number, name: &str) -> Option<Number> {
    Some(match name {
        "byte" => Number::int(i64::from(of.value as u8)),
        "sbyte" => Number::int(i64::from(of.value as i8)),
        "short" => Number::int(i64::from(of.value as i16)),
        "ushort" | "char" => Number::int(i64::from(of.value as u16)),
        "int" => Number::wrapped(of.value, Width::Int),
        "uint" => Number::wrapped(of.value, Width::UInt),
        "long" | "ulong" => Number { width: Width::Long, ..of },
        _ => of,
    })
}

fn limits(ty: &str) -> Option<(i64, i64)> {
    Some(match ty {
        "byte" => (0, u8::MAX.into()),
        "sbyte" => (i8::MIN.into(), i8::MAX.into()),
        "short" => (i16::MIN.into(), i16::MAX.into()),
        "ushort" | "char" => (0, u16::MAX.into()),
        "int" => (i32::MIN.into(), i32::MAX.into()),
        "uint" => (0, u32::MAX.into()),
        "long" => (i64::MIN, i64::MAX),
        _ => return None,
    })
}

fn literal(text: &str) -> Option<Number> {
    let plain = text.replace('_', "").to_ascii_lowercase();
    let (digits, base) = match plain.get(..2) {
        Some("0x") => (&plain[2..], 16),
        Some("0b") => (&plain[2..], 2),
        _ => (&*plain, 10),
    };
    let number = digits.trim_end_matches(['u', 'l']);
    let ending = &digits[number.len()..];
    let found = Number::int(i64::from_str_radix(number, base).ok()?);
    let least = match ending {
        "" => Width::Int,
        "u" => Width::UInt,
        _ => Width::Long,
    };
    Some(Number { width: found.width.max(least), ..found })
}

fn character(text: &str) -> Option<char> {
    let mut letters = text.chars();
    match (letters.next()?, letters.next()) {
        ('\\', Some('n')) => Some('\n'),
        ('\\', Some('t')) => Some('\t'),
        ('\\', Some('r')) => Some('\r'),
        ('\\', Some('0')) => Some('\0'),
        ('\\', Some(letter @ ('\\' | '\'' | '"'))) => Some(letter),
        ('\\', _) => None,
        (letter, _) => Some(letter),
    }
}

#[cfg(test)]
mod tests {
    use super::constant;

    fn check(text: &str, expected: Option<i64>) {
        let known = |name: &str| {
            [("A", 1), ("B", 2), ("C", 4)].iter().find(|(one, _)| *one == name).map(|(_, n)| *n)
        };
        assert_eq!(constant(text, &known), expected, "{text}");
    }

    #[test]
    fn members_are_computed_as_c_sharp_does() {
        check("A | B << 2", Some(9));
        check("A + B + C", Some(7));
        check("~0", Some(-1));
        check("~A & ~(B | 0x0_4)", Some(-8));
        check("-1", Some(-1));
        check("C - A", Some(3));
        check("(A) - B", Some(-1));
        check("int.MaxValue", Some(i32::MAX.into()));
        check("System.Int64.MaxValue", None);
        check("(int)Other.A", Some(1));
        check("(byte)~0", Some(255));
        check("'a'", Some(97));
        check("'\\n' + 1", Some(11));
        check("1 << 31", Some(i32::MIN.into()));
        check("1u << 31", Some(1 << 31));
        check("1L << 40", Some(1 << 40));
        check("0b101 ^ Me.A", Some(4));
        check("Lost", None);
        check("A |", None);
        check("1 / 0", None);
    }
}
