//! Types as the console compares them: a name and arguments, equal when they read the same. `?` is the
//! type that is known only at run time, a single capital letter a type parameter of the table.

use std::fmt;
use std::sync::Arc;

use scenewright_world::types::{full_type_name, short_name};

/// Types that one may be made of.
const MAX_PARTS: usize = 200;

/// A type: its full name, and those it is made of.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct Ty {
    pub(crate) name: Arc<str>,
    pub(crate) args: Arc<[Ty]>,
}

/// The whole numbers.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Int {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    I64,
}

impl Int {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Int::I8 => "System.SByte",
            Int::U8 => "System.Byte",
            Int::I16 => "System.Int16",
            Int::U16 => "System.UInt16",
            Int::I32 => "System.Int32",
            Int::U32 => "System.UInt32",
            Int::I64 => "System.Int64",
        }
    }

    pub(crate) fn named(name: &str) -> Option<Int> {
        [Int::I8, Int::U8, Int::I16, Int::U16, Int::I32, Int::U32, Int::I64]
            .into_iter()
            .find(|int| int.name() == name)
    }

    /// The number as this type holds it: what is too large wraps.
    pub(crate) fn wrap(self, value: i64) -> i64 {
        match self {
            Int::I8 => i64::from(value as i8),
            Int::U8 => i64::from(value as u8),
            Int::I16 => i64::from(value as i16),
            Int::U16 => i64::from(value as u16),
            Int::I32 => i64::from(value as i32),
            Int::U32 => i64::from(value as u32),
            Int::I64 => value,
        }
    }

    pub(crate) fn range(self) -> (i64, i64) {
        match self {
            Int::I8 => (-128, 127),
            Int::U8 => (0, 255),
            Int::I16 => (-32768, 32767),
            Int::U16 => (0, 65535),
            Int::I32 => (i64::from(i32::MIN), i64::from(i32::MAX)),
            Int::U32 => (0, i64::from(u32::MAX)),
            Int::I64 => (i64::MIN, i64::MAX),
        }
    }

    /// The type in which two numbers are added.
    pub(crate) fn joined(self, other: Int) -> Int {
        match (self.max(Int::I32), other.max(Int::I32)) {
            (Int::I32, Int::I32) => Int::I32,
            (Int::U32, Int::U32) => Int::U32,
            // C# makes a long of an int and a uint. A byte or a char beside a uint stays one.
            (Int::U32, _) if matches!(other, Int::U8 | Int::U16) => Int::U32,
            (_, Int::U32) if matches!(self, Int::U8 | Int::U16) => Int::U32,
            _ => Int::I64,
        }
    }
}

impl Ty {
    pub(crate) fn of(name: &str) -> Ty {
        Ty { name: name.into(), args: Arc::new([]) }
    }

    pub(crate) fn generic(name: &str, args: impl Into<Arc<[Ty]>>) -> Ty {
        Ty { name: name.into(), args: args.into() }
    }

    /// What is known only when the code runs.
    pub(crate) fn dynamic() -> Ty {
        Ty::of("?")
    }

    pub(crate) fn null() -> Ty {
        Ty::of("null")
    }

    pub(crate) fn void() -> Ty {
        Ty::of("System.Void")
    }

    pub(crate) fn bool() -> Ty {
        Ty::of("System.Boolean")
    }

    pub(crate) fn int() -> Ty {
        Ty::of("System.Int32")
    }

    pub(crate) fn string() -> Ty {
        Ty::of("System.String")
    }

    pub(crate) fn object() -> Ty {
        Ty::of("System.Object")
    }

    pub(crate) fn list(item: Ty) -> Ty {
        Ty::generic("List", [item])
    }

    pub(crate) fn array(item: Ty) -> Ty {
        Ty::generic("Array", [item])
    }

    pub(crate) fn seq(item: Ty) -> Ty {
        Ty::generic("IEnumerable", [item])
    }

    pub(crate) fn nullable(of: Ty) -> Ty {
        Ty::generic("System.Nullable", [of])
    }

    pub(crate) fn is(&self, name: &str) -> bool {
        &*self.name == name
    }

    pub(crate) fn is_dynamic(&self) -> bool {
        self.is("?")
    }

    pub(crate) fn is_void(&self) -> bool {
        self.is("System.Void")
    }

    pub(crate) fn is_tuple(&self) -> bool {
        self.name.starts_with('(')
    }

    pub(crate) fn is_func(&self) -> bool {
        self.is("Func") || self.is("Action")
    }

    pub(crate) fn arg(&self, index: usize) -> Ty {
        self.args.get(index).cloned().unwrap_or_else(Ty::dynamic)
    }

    /// `T` of `T?`, or the type itself.
    pub(crate) fn bare(&self) -> Ty {
        if self.is("System.Nullable") { self.arg(0) } else { self.clone() }
    }

    pub(crate) fn int_kind(&self) -> Option<Int> {
        Int::named(&self.name)
    }

    pub(crate) fn is_number(&self) -> bool {
        self.int_kind().is_some()
            || matches!(&*self.name, "System.Single" | "System.Double" | "System.Char")
    }

    /// One of `T`, `K`, `V`, `R` and `U`, which stand for types in the table.
    pub(crate) fn is_parameter(&self) -> bool {
        matches!(&*self.name, "T" | "K" | "V" | "R" | "U")
    }

    /// Whether `null` is no value of it.
    pub(crate) fn is_plain(&self, is_enum: impl Fn(&str) -> bool) -> bool {
        self.is_number()
            || self.is_tuple()
            || matches!(
                &*self.name,
                "System.Boolean"
                    | "UnityEngine.Vector2"
                    | "UnityEngine.Vector3"
                    | "UnityEngine.Vector4"
                    | "UnityEngine.Quaternion"
                    | "UnityEngine.Color"
                    | "UnityEngine.SceneManagement.Scene"
                    | "KeyValuePair"
            )
            || is_enum(&self.name)
    }

    /// Whether it is made of more types than anyone writes. Types that hold one twice grow fast.
    pub(crate) fn is_huge(&self) -> bool {
        let mut open = vec![self];
        for _ in 0..MAX_PARTS {
            let Some(ty) = open.pop() else { return false };
            open.extend(ty.args.iter());
        }
        true
    }

    /// Read a type of a table or of a class: `Func<T,bool>`, `System.Single[]`, `List<Vector3>`.
    pub(crate) fn parse(text: &str) -> Ty {
        Ty::parse_at(text.trim(), 0)
    }

    fn parse_at(text: &str, depth: usize) -> Ty {
        if depth > 8 {
            return Ty::dynamic();
        }
        if let Some(item) = text.strip_suffix("[]") {
            return Ty::array(Ty::parse_at(item, depth + 1));
        }
        if let Some((name, rest)) = text.split_once('<') {
            let rest = rest.strip_suffix('>').unwrap_or(rest);
            let args: Vec<Ty> = split(rest).map(|part| Ty::parse_at(part, depth + 1)).collect();
            let name = match short_name(name) {
                "Nullable" => "System.Nullable",
                "ValueTuple" => "()",
                name => name,
            };
            return Ty::generic(name, args);
        }
        match text {
            "" => Ty::dynamic(),
            "Vector2" | "Vector3" | "Vector4" | "Quaternion" | "Color" => {
                Ty::of(&format!("UnityEngine.{text}"))
            }
            "sbyte" => Ty::of("System.SByte"),
            "ushort" => Ty::of("System.UInt16"),
            _ => Ty::of(full_type_name(text)),
        }
    }

    /// As .NET writes it: ``System.Collections.Generic.List`1[System.Int32]``.
    pub(crate) fn full_name(&self) -> String {
        if self.is("Array") {
            return format!("{}[]", self.arg(0).full_name());
        }
        if self.args.is_empty() {
            return self.name.to_string();
        }
        let name = match &*self.name {
            "List" | "Dictionary" | "HashSet" | "KeyValuePair" | "IEnumerable" => {
                format!("System.Collections.Generic.{}", self.name)
            }
            "IGrouping" => "System.Linq.IGrouping".to_owned(),
            "Func" | "Action" => format!("System.{}", self.name),
            _ if self.is_tuple() => "System.ValueTuple".to_owned(),
            name => name.to_owned(),
        };
        let args: Vec<String> = self.args.iter().map(Ty::full_name).collect();
        format!("{name}`{}[{}]", args.len(), args.join(","))
    }
}

/// Parts between commas that are in no brackets.
fn split(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0_i32;
    text.split(move |letter: char| {
        match letter {
            '<' | '(' => depth += 1,
            '>' | ')' => depth -= 1,
            _ => {}
        }
        letter == ',' && depth == 0
    })
    .map(str::trim)
    .filter(|part| !part.is_empty())
}

/// As C# code writes it: `List<int>`.
impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let list = |f: &mut fmt::Formatter<'_>, open: &str, close: &str| {
            f.write_str(open)?;
            for (index, arg) in self.args.iter().enumerate() {
                if index > 0 {
                    f.write_str(", ")?;
                }
                write!(f, "{arg}")?;
            }
            f.write_str(close)
        };
        match &*self.name {
            "Array" => write!(f, "{}[]", self.arg(0)),
            "System.Nullable" => write!(f, "{}?", self.arg(0)),
            "?" => f.write_str("dynamic"),
            _ if self.is_tuple() => list(f, "(", ")"),
            name => {
                f.write_str(keyword(name).unwrap_or(short_name(name)))?;
                if self.args.is_empty() { Ok(()) } else { list(f, "<", ">") }
            }
        }
    }
}

impl fmt::Debug for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// The word that C# has for a type.
fn keyword(full_name: &str) -> Option<&'static str> {
    Some(match full_name {
        "System.Boolean" => "bool",
        "System.Byte" => "byte",
        "System.SByte" => "sbyte",
        "System.Int16" => "short",
        "System.UInt16" => "ushort",
        "System.Int32" => "int",
        "System.UInt32" => "uint",
        "System.Int64" => "long",
        "System.Single" => "float",
        "System.Double" => "double",
        "System.Char" => "char",
        "System.String" => "string",
        "System.Object" => "object",
        "System.Void" => "void",
        _ => return None,
    })
}
