//! The lines that `unity_typetrees.py` writes; it says what they mean.

use anyhow::{Context, Result, bail};

/// All that the package knows. Strings and nodes refer to each other by their places.
#[derive(Default)]
pub(super) struct Dump<'a> {
    pub(super) strings: Vec<&'a str>,
    pub(super) nodes: Vec<Node>,
    pub(super) classes: Vec<Class>,
    pub(super) common: Vec<Common>,
}

pub(super) struct Node {
    pub(super) type_name: usize,
    pub(super) name: usize,
    pub(super) size: i32,
    pub(super) version: u16,
    pub(super) is_array: bool,
    pub(super) meta: u32,
    pub(super) children: Vec<usize>,
}

pub(super) struct Class {
    pub(super) id: u32,
    pub(super) from: Vec<Since>,
}

/// What a class is from a version of Unity on.
pub(super) struct Since {
    pub(super) version: u64,
    /// None: that version does not have the class.
    pub(super) name: Option<usize>,
    /// None: nothing of it is written to files.
    pub(super) root: Option<usize>,
}

/// A name that files refer to by its offset in a text inside Unity.
pub(super) struct Common {
    pub(super) version: u64,
    pub(super) offset: u16,
    pub(super) string: usize,
}

pub(super) fn parse(lines: &str) -> Result<Dump<'_>> {
    let mut dump = Dump::default();
    for line in lines.lines() {
        add(&mut dump, line).with_context(|| format!("not as known: {line}"))?;
    }
    Ok(dump)
}

fn add<'a>(dump: &mut Dump<'a>, line: &'a str) -> Result<()> {
    let fields: Vec<&str> = line.split('\t').collect();
    match *fields {
        ["string", text] => dump.strings.push(text),
        ["node", type_name, name, size, version, is_array, meta, children] => {
            let children = children.split_whitespace().map(str::parse);
            dump.nodes.push(Node {
                type_name: type_name.parse()?,
                name: name.parse()?,
                size: size.parse()?,
                version: version.parse()?,
                is_array: is_array == "1",
                meta: meta.parse()?,
                children: children.collect::<Result<_, _>>()?,
            });
        }
        ["class", id] => dump.classes.push(Class { id: id.parse()?, from: Vec::new() }),
        ["from", version, name, root] => {
            let class = dump.classes.last_mut().context("a line of a class before its class")?;
            let (name, root) = (place(name)?, place(root)?);
            class.from.push(Since { version: version.parse()?, name, root });
        }
        ["common", version, offset, string] => dump.common.push(Common {
            version: version.parse()?,
            offset: offset.parse()?,
            string: string.parse()?,
        }),
        _ => bail!("no such line"),
    }
    Ok(())
}

fn place(text: &str) -> Result<Option<usize>> {
    if text == "-" { Ok(None) } else { Ok(Some(text.parse()?)) }
}
