//! What a built program is: for which platform, and whether it brings all it needs.

use anyhow::{Result, bail, ensure};

use super::facts::Target;

/// A program for a target.
#[derive(Debug)]
pub(super) struct Program {
    pub(super) target: &'static Target,
    pub(super) bytes: Vec<u8>,
    /// Whether it needs libraries of the machine it runs on, which not every Linux has.
    pub(super) needs_libraries: bool,
}

impl Program {
    /// Refuses what was built for another platform: once packed, nobody would see it.
    pub(super) fn new(target: &'static Target, bytes: Vec<u8>) -> Result<Program> {
        let needs_libraries = match (target.os, Kind::of(&bytes)) {
            ("linux", Kind::Elf { cpu, is_static }) if target.cpu.contains(&cpu) => !is_static,
            ("darwin", Kind::Universal) => false,
            ("win32", Kind::Windows { cpu }) if target.cpu.contains(&cpu) => false,
            (_, kind) => bail!("the program for {} is {}", target.triple, kind.text()),
        };
        Ok(Program { target, bytes, needs_libraries })
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Elf { cpu: &'static str, is_static: bool },
    Universal,
    Apple,
    Windows { cpu: &'static str },
    Unknown,
}

impl Kind {
    fn of(bytes: &[u8]) -> Kind {
        match bytes {
            [0x7f, b'E', b'L', b'F', 2, 1, ..] => elf(bytes).unwrap_or(Kind::Unknown),
            [0xca, 0xfe, 0xba, 0xbe, ..] => Kind::Universal,
            [0xcf, 0xfa, 0xed, 0xfe, ..] => Kind::Apple,
            [b'M', b'Z', ..] => windows(bytes).unwrap_or(Kind::Unknown),
            _ => Kind::Unknown,
        }
    }

    fn text(&self) -> String {
        match self {
            Kind::Elf { cpu, is_static } => {
                format!("for Linux on {cpu}, {}", if *is_static { "static" } else { "linked" })
            }
            Kind::Universal => "for both processors of macOS".to_owned(),
            Kind::Apple => "for one processor of macOS; `lipo` makes one for both".to_owned(),
            Kind::Windows { cpu } => format!("for Windows on {cpu}"),
            Kind::Unknown => "no program for any of our platforms".to_owned(),
        }
    }
}

/// A program with an interpreter (the loader of its libraries) is not static.
fn elf(bytes: &[u8]) -> Result<Kind> {
    const INTERPRETER: u64 = 3;
    let table = usize::try_from(number(bytes, 32, 8)?)?;
    let (size, count) = (number(bytes, 54, 2)? as usize, number(bytes, 56, 2)? as usize);
    ensure!(size >= 56, "segments of {size} bytes");
    let mut is_static = true;
    for index in 0..count {
        is_static &= number(bytes, table.saturating_add(index * size), 4)? != INTERPRETER;
    }
    Ok(Kind::Elf { cpu: cpu(number(bytes, 18, 2)?, 0x3e, 0xb7), is_static })
}

fn windows(bytes: &[u8]) -> Result<Kind> {
    let header = usize::try_from(number(bytes, 0x3c, 4)?)?;
    ensure!(bytes.get(header..).is_some_and(|rest| rest.starts_with(b"PE\0\0")), "no header");
    Ok(Kind::Windows { cpu: cpu(number(bytes, header + 4, 2)?, 0x8664, 0xaa64) })
}

fn cpu(said: u64, x64: u64, arm64: u64) -> &'static str {
    match said {
        said if said == x64 => "x64",
        said if said == arm64 => "arm64",
        _ => "another processor",
    }
}

/// A number in the order of bytes that all our platforms have.
fn number(bytes: &[u8], at: usize, size: usize) -> Result<u64> {
    let Some(bytes) = at.checked_add(size).and_then(|end| bytes.get(at..end)) else {
        bail!("cut off at {at}");
    };
    Ok(bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte)))
}

/// A program that is one to all who only look at its header.
#[cfg(test)]
pub(super) fn example(target: &'static Target) -> Program {
    let mut bytes = vec![0; 256];
    let is_arm = target.cpu == ["arm64"];
    match target.os {
        "linux" => {
            bytes[..6].copy_from_slice(&[0x7f, b'E', b'L', b'F', 2, 1]);
            bytes[18] = if is_arm { 0xb7 } else { 0x3e };
            (bytes[32], bytes[54], bytes[56], bytes[64]) = (64, 56, 1, 1);
        }
        "darwin" => bytes[..4].copy_from_slice(&[0xca, 0xfe, 0xba, 0xbe]),
        _ => {
            bytes[..2].copy_from_slice(b"MZ");
            bytes[0x3c] = 0x80;
            bytes[0x80..0x84].copy_from_slice(b"PE\0\0");
            bytes[0x84..0x86].copy_from_slice(if is_arm { &[0x64, 0xaa] } else { &[0x64, 0x86] });
        }
    }
    Program::new(target, bytes).expect("made for it")
}

#[cfg(test)]
mod tests {
    use super::super::facts::TARGETS;
    use super::*;

    #[test]
    fn a_program_of_another_platform_is_refused() {
        for target in &TARGETS {
            let bytes = example(target).bytes;
            for other in TARGETS.iter().filter(|other| *other != target) {
                Program::new(other, bytes.clone()).expect_err(other.triple);
            }
        }
        let error = Program::new(&TARGETS[2], vec![0xcf, 0xfa, 0xed, 0xfe, 0]).unwrap_err();
        assert!(error.to_string().contains("lipo"), "{error}");
        for cut in [&b""[..], b"\x7fELF\x02\x01", b"MZ", b"#!/bin/sh"] {
            Program::new(&TARGETS[0], cut.to_owned()).unwrap_err();
        }
    }

    #[test]
    fn what_needs_libraries_is_known() {
        let mut program = example(&TARGETS[0]);
        assert!(!program.needs_libraries);
        program.bytes[64] = 3;
        assert!(Program::new(&TARGETS[0], program.bytes).unwrap().needs_libraries);
    }
}
