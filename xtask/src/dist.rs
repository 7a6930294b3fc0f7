//! `cargo xtask dist`: everything a release consists of, made from programs that are built already.
//!
//! `facts` is the one place of what is said of the program; each other module makes one kind of package
//! from it. Nothing is published here: the workflow of releases does that with what this leaves.

mod archive;
mod attempt;
mod bundle;
mod facts;
mod image;
mod managers;
mod npm;
mod program;
mod recipes;
mod sbom;
mod wheel;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail, ensure};

use self::archive::Entry;
use self::facts::{Facts, TARGETS, Target};
use self::program::Program;
use crate::{binary, os, paths};

const USAGE: &str = "usage: cargo xtask dist [--binary PATH [--target TRIPLE]] [--artifacts DIR] [--out DIR] \
                     [--archive-only | --try]";
/// The checksums of all that is downloaded.
const SUMS: &str = "SHA256SUMS";

pub(crate) fn run(args: &[&str]) -> Result<()> {
    let options = parse(args)?;
    let facts = Facts::read()?;
    if options.attempt {
        let binary = options.binary.map_or_else(stripped, Ok)?;
        return attempt::run(&facts, &binary);
    }
    let out = options.out.clone().unwrap_or_else(|| paths::target().join("dist-packages"));
    let programs = programs(&facts, &options)?;
    let files = match options.archive_only {
        true => archives(&facts, &programs)?.1,
        false => everything(&facts, &programs)?,
    };
    write(&out, &files)
}

/// The program under test without what only a debugger reads, as packages have it.
fn stripped() -> Result<PathBuf> {
    let tested = binary::tested()?;
    let folder = paths::target().join("dist-program");
    fs::create_dir_all(&folder)?;
    let copy = folder.join(tested.file_name().context("the program is a file")?);
    fs::copy(tested, &copy)?;
    // Without binutils the packages are only larger.
    let _ = Command::new("strip").arg(&copy).status();
    Ok(copy)
}

#[derive(Debug, Default)]
struct Options {
    binary: Option<PathBuf>,
    target: Option<&'static Target>,
    artifacts: Option<PathBuf>,
    out: Option<PathBuf>,
    archive_only: bool,
    attempt: bool,
}

fn parse(mut args: &[&str]) -> Result<Options> {
    let mut options = Options::default();
    // We run in the root; people name what they see.
    let path = |path: &&str| std::path::absolute(path).map(Some);
    loop {
        match args {
            [] => break,
            ["--binary", file, rest @ ..] => (options.binary, args) = (path(file)?, rest),
            ["--target", triple, rest @ ..] => {
                (options.target, args) = (Some(Target::find(triple)?), rest);
            }
            ["--artifacts", dir, rest @ ..] => (options.artifacts, args) = (path(dir)?, rest),
            ["--out", dir, rest @ ..] => (options.out, args) = (path(dir)?, rest),
            ["--archive-only", rest @ ..] => (options.archive_only, args) = (true, rest),
            ["--try", rest @ ..] => (options.attempt, args) = (true, rest),
            _ => bail!(USAGE),
        }
    }
    ensure!(options.artifacts.is_none() || options.binary.is_none(), USAGE);
    Ok(options)
}

/// A release is made of all archives; from one machine comes what it can build.
fn programs(facts: &Facts, options: &Options) -> Result<Vec<Program>> {
    let Some(artifacts) = &options.artifacts else {
        let binary = options.binary.clone().map_or_else(binary::dist, Ok)?;
        let target = options.target.map_or_else(Target::host, Ok)?;
        let bytes = fs::read(&binary).with_context(|| binary.display().to_string())?;
        let program = Program::new(target, bytes)?;
        if program.needs_libraries {
            let text = "is not static: good for this machine, not for a release";
            ensure!(!options.archive_only, "{} {text}", binary.display());
            println!("{} {text}", binary.display());
        }
        return Ok(vec![program]);
    };
    let missing: Vec<String> = TARGETS.iter().map(|target| facts.archive(target)).collect();
    let missing: Vec<String> =
        missing.into_iter().filter(|file| !artifacts.join(file).is_file()).collect();
    ensure!(missing.is_empty(), "{} has no {}", artifacts.display(), missing.join(", "));
    let read = |target: &'static Target| {
        let path = format!("{}/{}", facts.folder(target), target.program());
        let bytes = archive::program_in(&artifacts.join(facts.archive(target)), &path)?;
        let program = Program::new(target, bytes)?;
        ensure!(!program.needs_libraries, "the program for {} is not static", target.triple);
        Ok(program)
    };
    TARGETS.iter().map(read).collect()
}

/// A file of a release.
#[derive(Debug, Clone)]
struct File {
    /// From the folder of the release.
    path: String,
    bytes: Vec<u8>,
    is_program: bool,
}

impl File {
    fn new(path: impl Into<String>, bytes: Vec<u8>) -> File {
        File { path: path.into(), bytes, is_program: false }
    }

    fn sha256(&self) -> String {
        archive::hex(&archive::sha256(&self.bytes))
    }
}

/// An archive as manifests name it.
#[derive(Debug)]
struct Archive {
    target: &'static Target,
    file: String,
    sha256: String,
}

/// All files, those for download first.
fn everything(facts: &Facts, programs: &[Program]) -> Result<Vec<File>> {
    let (archives, mut files) = archives(facts, programs)?;
    let bundle = bundle::bundle(facts, programs)?;
    let server = bundle::server(facts, bundle.as_ref());
    files.extend(bundle);
    files.push(sbom::list(facts)?);
    let lines: String =
        files.iter().map(|file| format!("{}  {}\n", file.sha256(), file.path)).collect();
    files.push(File::new(SUMS, lines.into_bytes()));
    files.push(server);
    files.extend(npm::packages(facts, programs)?);
    files.extend(wheel::wheels(facts, programs)?);
    files.extend(image::context(facts, programs));
    let (manifests, missing) = managers::manifests(facts, &archives);
    files.extend(manifests);
    if !missing.is_empty() {
        println!("no manifest for {}: not all of their archives are here", missing.join(", "));
    }
    Ok(files)
}

fn archives(facts: &Facts, programs: &[Program]) -> Result<(Vec<Archive>, Vec<File>)> {
    let (mut archives, mut files) = (Vec::new(), Vec::new());
    for program in programs {
        let target = program.target;
        let folder = facts.folder(target);
        let mut entries =
            vec![Entry::program(format!("{folder}/{}", target.program()), &program.bytes)];
        entries.push(Entry::file(format!("{folder}/README.md"), root_file("README.md")?));
        entries.extend(licenses(&folder)?);
        let bytes = match target.is_windows() {
            true => archive::zip(&entries)?,
            false => archive::tar_gz(&entries)?,
        };
        let file = File::new(facts.archive(target), bytes);
        archives.push(Archive { target, file: file.path.clone(), sha256: file.sha256() });
        files.push(file);
    }
    Ok((archives, files))
}

/// The licences, which come along with every copy.
fn licenses(folder: &str) -> Result<Vec<Entry>> {
    let slash = if folder.is_empty() { "" } else { "/" };
    ["LICENSE-APACHE", "LICENSE-MIT"]
        .into_iter()
        .map(|name| Ok(Entry::file(format!("{folder}{slash}{name}"), root_file(name)?)))
        .collect()
}

fn root_file(name: &str) -> Result<Vec<u8>> {
    fs::read(paths::root().join(name)).with_context(|| name.to_owned())
}

/// Write all of it where nothing else is: what an earlier run left is taken away.
fn write(out: &Path, files: &[File]) -> Result<()> {
    if out.is_dir() && fs::read_dir(out)?.next().is_some() {
        let is_ours = out.join(SUMS).is_file() || out.starts_with(paths::target());
        ensure!(is_ours, "{} has other files in it", out.display());
        fs::remove_dir_all(out).with_context(|| out.display().to_string())?;
    }
    for file in files {
        let path = out.join(&file.path);
        fs::create_dir_all(path.parent().context("a file is in a folder")?)?;
        fs::write(&path, &file.bytes).with_context(|| path.display().to_string())?;
        if file.is_program {
            os::allow(&path, 0o755)?;
        }
        println!("{:>12}  {}", file.bytes.len(), file.path);
    }
    println!("{} files in {}", files.len(), out.display());
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_folder_of_somebody_else_is_left_alone() {
        let folder = std::env::temp_dir().join(format!("xtask-dist-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let files = [File::new(SUMS, Vec::new()), File::new("npm/a", b"a".to_vec())];
        write(&folder, &files).unwrap();
        fs::write(folder.join("npm/old"), "").unwrap();
        write(&folder, &files).unwrap();
        assert!(!folder.join("npm/old").exists(), "what an earlier run left is gone");
        fs::remove_file(folder.join(SUMS)).unwrap();
        write(&folder, &files).unwrap_err();
        assert!(folder.join("npm/a").exists());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_release_lacks_no_archive() {
        let folder = std::env::temp_dir().join(format!("xtask-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let facts = facts::example();
        let all: Vec<Program> = TARGETS.iter().map(program::example).collect();
        let options = Options { artifacts: Some(folder.clone()), ..Options::default() };
        for file in archives(&facts, &all).unwrap().1 {
            let error = programs(&facts, &options).unwrap_err().to_string();
            assert!(error.contains(&file.path), "{error}");
            fs::write(folder.join(&file.path), &file.bytes).unwrap();
        }
        let read = programs(&facts, &options).unwrap();
        assert!(read.iter().zip(&all).all(|(read, made)| read.bytes == made.bytes));
        fs::remove_dir_all(&folder).unwrap();
    }
}
