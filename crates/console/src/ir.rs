//! Code whose names have a meaning, ready to run. It holds nothing of a run, so hooks can keep it.

use std::sync::Arc;

use scenewright_world::EnumValue;

use super::ty::{Int, Ty};

/// A script or the source of a hook.
#[derive(Debug, Default)]
pub(crate) struct Program {
    pub(crate) source: Arc<str>,
    pub(super) main: Code,
    pub(super) functions: Vec<Code>,
    /// Functions of the script itself, by name.
    pub(crate) named: Vec<(String, usize)>,
}

impl Program {
    /// Names of the parameters of some functions.
    pub(crate) fn parameter_names(&self, of: &[&str]) -> Vec<&str> {
        let named = self.named.iter().filter(|(name, _)| of.contains(&name.as_str()));
        let codes = named.filter_map(|(_, index)| self.functions.get(*index));
        codes
            .flat_map(|code| code.parameters.iter().map(|parameter| parameter.name.as_str()))
            .collect()
    }
}

/// A body with its variables.
#[derive(Debug, Default)]
pub(super) struct Code {
    /// How many variables around it it can see; those are its first.
    pub base: usize,
    /// How many variables it has with those around it.
    pub slots: usize,
    pub parameters: Vec<Parameter>,
    pub returns: Option<Ty>,
    pub body: Vec<Stmt>,
}

#[derive(Debug, Clone)]
pub(super) struct Parameter {
    pub name: String,
    pub slot: usize,
    pub ty: Ty,
    pub by_ref: bool,
}

#[derive(Debug)]
pub(super) struct Node {
    pub at: u32,
    pub kind: Kind,
}

#[derive(Debug)]
pub(super) enum Kind {
    Null,
    Bool(bool),
    Int(Int, i64),
    Float(f32),
    Double(f64),
    Text(Arc<str>),
    Char(u16),
    Enum(Arc<EnumValue>),
    Type(Ty),
    Default(Ty),
    Interpolated(Vec<Part>),
    Local(usize),
    /// A local function as a value.
    Function(usize),
    Lambda(Arc<Code>),
    Get(Box<Node>, Arc<str>),
    GetStatic(Arc<str>, Arc<str>),
    Index(Box<Node>, Box<Node>),
    Call(Box<Call>),
    CallFunction(usize, Vec<Node>),
    CallValue(Box<Node>, Vec<Node>),
    New(Ty, Vec<Node>),
    /// A new object, and what is put into it.
    Fill(Box<Node>, Vec<Item>),
    NewArray(Ty, Option<Box<Node>>, Vec<Node>),
    Tuple(Vec<Node>),
    Part(Box<Node>, usize),
    Unary(&'static str, Box<Node>),
    Binary(&'static str, Box<Node>, Box<Node>),
    And(Box<Node>, Box<Node>),
    Or(Box<Node>, Box<Node>),
    Coalesce(Box<Node>, Box<Node>),
    Assign(Box<Assign>),
    Conditional(Box<Node>, Box<Node>, Box<Node>),
    /// As a cast, which an implicit conversion also is.
    Convert(Ty, Box<Node>),
    As(Ty, Box<Node>),
    Is(Box<Node>, Box<Test>),
    /// Ends the chain around it when the value is null.
    Guard(Box<Node>),
    Chain(Box<Node>),
    Switch(Box<Node>, Vec<Arm>),
    Throw(Box<Node>),
}

#[derive(Debug)]
pub(super) enum Part {
    Text(Arc<str>),
    Hole(Node, i32, Arc<str>),
}

#[derive(Debug)]
pub(super) struct Call {
    pub of: Callee,
    pub name: Arc<str>,
    pub types: Vec<Ty>,
    pub args: Vec<Node>,
    /// Where the `out` argument goes.
    pub out: Option<Place>,
}

#[derive(Debug)]
pub(super) enum Callee {
    Value(Node),
    Type(Arc<str>),
}

#[derive(Debug)]
pub(super) enum Item {
    Add(Vec<Node>),
    Set(Arc<str>, Node),
    SetAt(Node, Node),
}

/// `=`, `+=`, `??=`, `++`.
#[derive(Debug)]
pub(super) struct Assign {
    pub place: Place,
    pub operator: Option<&'static str>,
    pub value: Node,
    /// The type of the place; what an operator gives is converted back to it.
    pub ty: Ty,
    /// `x++` gives what was there before.
    pub gives_old: bool,
}

#[derive(Debug)]
pub(super) enum Place {
    Local(usize),
    Member(Node, Arc<str>),
    Static(Arc<str>, Arc<str>),
    Index(Node, Node),
    /// A part of a value that is no object, such as `v.x`.
    Part(Box<Place>, Arc<str>),
    Tuple(Vec<Place>),
    Discard,
}

#[derive(Debug)]
pub(super) struct Arm {
    pub test: Test,
    pub guard: Option<Node>,
    pub value: Node,
}

#[derive(Debug)]
pub(super) enum Test {
    Any,
    Bind(usize),
    Type(Ty, Option<usize>),
    Equal(Node),
    Relation(&'static str, Node),
    Not(Box<Test>),
    And(Box<Test>, Box<Test>),
    Or(Box<Test>, Box<Test>),
}

#[derive(Debug)]
pub(super) struct Stmt {
    pub at: u32,
    pub kind: StmtKind,
}

#[derive(Debug)]
pub(super) enum StmtKind {
    Block(Vec<Stmt>),
    /// A new variable.
    Declare(usize, Node),
    /// New variables for the parts of a tuple.
    DeclareParts(Vec<usize>, Node),
    Expr(Node),
    If(Node, Box<Stmt>, Option<Box<Stmt>>),
    Loop {
        start: Vec<Stmt>,
        condition: Option<Node>,
        steps: Vec<Node>,
        body: Box<Stmt>,
        first: bool,
    },
    ForEach {
        slots: Vec<usize>,
        ty: Option<Ty>,
        of: Node,
        body: Box<Stmt>,
    },
    Switch(Node, Vec<Section>),
    Break,
    Continue,
    Return(Option<Node>),
    Rethrow,
    Try {
        body: Vec<Stmt>,
        catches: Vec<Catch>,
        finally: Vec<Stmt>,
    },
}

#[derive(Debug)]
pub(super) struct Section {
    pub labels: Vec<(Test, Option<Node>)>,
    pub is_default: bool,
    pub body: Vec<Stmt>,
}

#[derive(Debug)]
pub(super) struct Catch {
    pub ty: Ty,
    pub slot: Option<usize>,
    pub guard: Option<Node>,
    pub body: Vec<Stmt>,
}
