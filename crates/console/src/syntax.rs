//! What a source says, before names have a meaning.

/// An expression, where it begins, and how many levels it has.
#[derive(Debug, Clone)]
pub(super) struct Expr {
    pub at: u32,
    pub height: u16,
    pub kind: ExprKind,
}

#[derive(Debug, Clone)]
pub(super) enum ExprKind {
    Null,
    Bool(bool),
    Int(i64, IntSuffix),
    Float(f32),
    Double(f64),
    Text(String),
    Char(u16),
    Interpolated(Vec<Part>),
    Name(String, Vec<TypeName>),
    /// A type that is a word of the language, as in `int.Parse`.
    Keyword(TypeName),
    Member {
        of: Box<Expr>,
        name: String,
        types: Vec<TypeName>,
        guarded: bool,
    },
    Index {
        of: Box<Expr>,
        index: Vec<Expr>,
        guarded: bool,
    },
    Call(Box<Expr>, Vec<Argument>),
    New {
        ty: Option<TypeName>,
        arguments: Vec<Argument>,
        items: Option<Vec<Item>>,
    },
    NewArray {
        item: Option<TypeName>,
        length: Option<Box<Expr>>,
        items: Option<Vec<Expr>>,
    },
    /// `{ 1, 2 }` where a declared array begins.
    Items(Vec<Expr>),
    Unary(&'static str, Box<Expr>),
    /// `++x`, `x++`, `--x`, `x--`.
    Step {
        of: Box<Expr>,
        by: i64,
        before: bool,
    },
    Binary(&'static str, Box<Expr>, Box<Expr>),
    Assign(Option<&'static str>, Box<Expr>, Box<Expr>),
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    Cast(TypeName, Box<Expr>),
    Is(Box<Expr>, Box<Pattern>),
    As(Box<Expr>, TypeName),
    TypeOf(TypeName),
    NameOf(String),
    Default(Option<TypeName>),
    Lambda(Vec<Parameter>, Box<Body>),
    Tuple(Vec<(Option<String>, Expr)>),
    Switch(Box<Expr>, Vec<Arm>),
    Throw(Box<Expr>),
    /// `var (a, b)` on the left of `=`, and in `foreach`.
    Declared(Vec<String>),
}

/// What stands behind the digits of a whole number.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum IntSuffix {
    None,
    Unsigned,
    Long,
}

#[derive(Debug, Clone)]
pub(super) enum Part {
    Text(String),
    Hole(Expr, i32, String),
}

#[derive(Debug, Clone)]
pub(super) struct Argument {
    pub name: Option<String>,
    pub value: ArgumentValue,
}

#[derive(Debug, Clone)]
pub(super) enum ArgumentValue {
    Value(Expr),
    /// `out x`.
    Out(Expr),
    /// `out var x`.
    OutNew(TypeName, String),
}

/// A part of what follows `new T(...)` in braces.
#[derive(Debug, Clone)]
pub(super) enum Item {
    Value(Expr),
    /// `{ key, value }`.
    Several(Vec<Expr>),
    Member(String, u32, Expr),
    Index(Expr, Expr),
}

/// A type as it is written.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct TypeName {
    pub at: u32,
    /// `var`, `int`, `UnityEngine.Light`; `[]` for arrays, `()` for tuples.
    pub name: String,
    pub args: Vec<TypeName>,
    pub nullable: bool,
    /// Names of a tuple's parts.
    pub names: Vec<Option<String>>,
}

#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub at: u32,
    pub ty: Option<TypeName>,
    pub name: String,
    pub by_ref: bool,
    pub default: Option<Expr>,
}

#[derive(Debug, Clone)]
pub(super) enum Body {
    Expr(Expr),
    Block(Vec<Stmt>),
}

#[derive(Debug, Clone)]
pub(super) struct Arm {
    pub pattern: Pattern,
    pub guard: Option<Expr>,
    pub value: Expr,
}

#[derive(Debug, Clone)]
pub(super) enum Pattern {
    /// `_`
    Any,
    Var(String),
    Type(TypeName, Option<String>),
    /// A constant, or the name of a type.
    Value(Expr),
    Relation(&'static str, Expr),
    Not(Box<Pattern>),
    And(Box<Pattern>, Box<Pattern>),
    Or(Box<Pattern>, Box<Pattern>),
}

#[derive(Debug, Clone)]
pub(super) struct Stmt {
    pub at: u32,
    pub kind: StmtKind,
}

#[derive(Debug, Clone)]
pub(super) enum StmtKind {
    Empty,
    Block(Vec<Stmt>),
    Declare {
        ty: TypeName,
        names: Vec<(String, u32, Option<Expr>)>,
    },
    Expr(Expr),
    /// An expression without `;` at the very end, or one that C# allows nowhere else.
    Result(Expr),
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    While(Expr, Box<Stmt>),
    Do(Box<Stmt>, Expr),
    For {
        start: Vec<Stmt>,
        condition: Option<Expr>,
        steps: Vec<Expr>,
        body: Box<Stmt>,
    },
    ForEach {
        ty: TypeName,
        names: Vec<String>,
        of: Expr,
        body: Box<Stmt>,
    },
    Switch(Expr, Vec<Section>),
    Break,
    Continue,
    Return(Option<Expr>),
    Throw(Option<Expr>),
    Try {
        body: Vec<Stmt>,
        catches: Vec<Catch>,
        finally: Option<Vec<Stmt>>,
    },
    Function(Function),
}

#[derive(Debug, Clone)]
pub(super) struct Section {
    pub labels: Vec<(Pattern, Option<Expr>)>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(super) struct Catch {
    pub ty: Option<TypeName>,
    pub name: Option<String>,
    pub guard: Option<Expr>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(super) struct Function {
    pub at: u32,
    pub name: String,
    pub returns: TypeName,
    pub parameters: Vec<Parameter>,
    pub body: Body,
}
