//! `cargo xtask house`: the few rules of how files look that no lint knows.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

use crate::paths;

/// What only one kind of system has.
const OF_ONE_SYSTEM: [&str; 6] =
    ["std::os::unix", "std::os::windows", "std::os::fd", "signal::unix", "rustix::", "libc::"];
const SYSTEM: &str =
    "what only one system has stands in a module `os`, with what the others do instead";

/// Where the house has its code.
const FOLDERS: [&str; 3] = ["crates", "fuzz/src", "xtask"];

pub(crate) fn run() -> Result<()> {
    let root = paths::root();
    let mut wrong = Vec::new();
    let mut count = 0;
    for folder in FOLDERS {
        for path in sources(&root.join(folder))? {
            let source = fs::read_to_string(&path)?;
            let shown = path.strip_prefix(&root).unwrap_or(&path).display();
            let is_os = path.iter().any(|part| part == "os" || part == "os.rs");
            let is_test = path.iter().any(|part| part == "tests" || part == "tests.rs");
            if !is_os && !is_test {
                let lines = names_a_system(&source).into_iter();
                wrong.extend(lines.map(|line| format!("{shown}:{line}: {SYSTEM}")));
            }
            wrong.extend(
                judge(&source).into_iter().map(|(line, why)| format!("{shown}:{line}: {why}")),
            );
            count += 1;
        }
    }
    wrong.extend(unshown(&root)?);
    wrong.extend(unkept(&root)?);
    if !wrong.is_empty() {
        bail!("{} places are not as the house has it:\n{}", wrong.len(), wrong.join("\n"));
    }
    println!("{count} files are as the house has it");
    Ok(())
}

/// The tests that the page about safety names and that are not there.
fn unshown(root: &Path) -> Result<Vec<String>> {
    let page = fs::read_to_string(root.join("docs/security.md"))?;
    let mut code = String::new();
    for path in sources(&root.join("crates"))? {
        code.push_str(&fs::read_to_string(path)?);
    }
    let is_missing = |name: &&str| !code.contains(&format!("fn {name}("));
    let missing = tests_named_in(&page).into_iter().filter(is_missing);
    Ok(missing.map(|name| format!("docs/security.md: there is no test {name}")).collect())
}

/// The sentences with which the README promises safety and that the page about it does not have, word for word.
fn unkept(root: &Path) -> Result<Vec<String>> {
    let page = fs::read_to_string(root.join("docs/security.md"))?;
    let readme = fs::read_to_string(root.join("README.md"))?;
    let promises = promises_of(&readme);
    if promises.is_empty() {
        return Ok(vec![
            "README.md: there is no list of promises below \"Safe by default\"".into(),
        ]);
    }
    let is_missing = |sentence: &String| !page.contains(sentence.as_str());
    let missing = promises.into_iter().filter(is_missing);
    Ok(missing.map(|sentence| format!("docs/security.md does not have \"{sentence}\"")).collect())
}

/// The sentences of the numbered list below the heading, each on one line.
fn promises_of(readme: &str) -> Vec<String> {
    let part = readme.split("\n## Safe by default\n").nth(1).unwrap_or_default();
    let list = part.split("\n## ").next().unwrap_or_default().trim();
    let list = list.split("\n\n").find(|part| part.starts_with("1. ")).unwrap_or_default();
    let is_number = |word: &&str| word.strip_suffix('.').is_some_and(|n| n.parse::<u8>().is_ok());
    let words: Vec<&str> = list.split_whitespace().filter(|word| !is_number(word)).collect();
    let text = words.join(" ");
    text.split_inclusive(". ").map(|sentence| sentence.trim().to_owned()).collect()
}

/// What stands in quotes and looks like the name of a test.
fn tests_named_in(page: &str) -> Vec<&str> {
    let quoted = page.split('`').skip(1).step_by(2);
    let is_name = |word: &&str| {
        word.matches('_').count() >= 3 && word.bytes().all(|b| b.is_ascii_lowercase() || b == b'_')
    };
    quoted.filter(is_name).collect()
}

/// The lines of a source that break a rule, and which.
fn judge(source: &str) -> Vec<(usize, &'static str)> {
    let mut wrong = Vec::new();
    let first = source.lines().find(|line| !line.starts_with("#![") && !line.is_empty());
    if !first.is_some_and(|line| line.starts_with("//!")) {
        wrong.push((1, "a file opens with a `//!` line that says what it is for"));
    }
    // Within one block of imports, std comes before anything else.
    let mut others_before = false;
    for (number, line) in (1..).zip(source.lines()) {
        if line.trim_start().starts_with("use std::{") {
            wrong.push((number, "`use std::…` stands on lines of its own, not in a tree"));
        }
        match line {
            line if line.starts_with("use std::") && others_before => {
                wrong.push((number, "imports of std come first"));
            }
            line if line.starts_with("use std::") => {}
            line if line.starts_with("use ") => others_before = true,
            // The rest of an import over several lines, and the gaps between groups.
            "" | "};" => {}
            line if line.starts_with("    ") => {}
            _ => others_before = false,
        }
    }
    wrong
}

/// The lines outside of modules `os` and of tests that name what only one system has.
fn names_a_system(source: &str) -> Vec<usize> {
    let mut found = Vec::new();
    let mut is_left_out = false;
    let mut before = "";
    for (number, line) in (1..).zip(source.lines()) {
        // Modules inside of a file end with a brace at the margin.
        let is_test =
            line.starts_with("mod ") && before.starts_with("#[cfg") && before.contains("test");
        match line {
            _ if line.starts_with("mod os {") || (is_test && line.ends_with('{')) => {
                is_left_out = true
            }
            "}" => is_left_out = false,
            _ => {}
        }
        let is_code = !line.trim_start().starts_with("//");
        // In quotes it is only spoken of.
        let names = |name: &&str| line.contains(*name) && !line.contains(&format!("\"{name}"));
        if !is_left_out && is_code && OF_ONE_SYSTEM.iter().any(names) {
            found.push(number);
        }
        before = line;
    }
    found
}

fn sources(folder: &Path) -> Result<Vec<PathBuf>> {
    let mut open = vec![folder.to_owned()];
    let mut found = Vec::new();
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(&folder).with_context(|| folder.display().to_string())? {
            let path = entry?.path();
            match path.is_dir() {
                true => open.push(path),
                false => found.extend((path.extension() == Some("rs".as_ref())).then_some(path)),
            }
        }
    }
    found.sort();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(source: &str, wrong: &[usize]) {
        let found: Vec<usize> = judge(source).into_iter().map(|(line, _)| line).collect();
        assert_eq!(found, wrong, "{source}");
    }

    #[test]
    fn names_of_tests_are_found_in_a_page() {
        let page = "Asked (`a_person_is_asked`), with `--require-confirm` or `write_script`.";
        assert_eq!(tests_named_in(page), ["a_person_is_asked"]);
    }

    #[test]
    fn promises_are_sentences_whatever_their_lines() {
        let readme = "# A\n\n## Safe by default\n\n1. It reads. It asks\n   first.\n2. No more.\n\nAll of it.\n\n## B\n";
        assert_eq!(promises_of(readme), ["It reads.", "It asks first.", "No more."]);
        assert!(promises_of("# A\n").is_empty());
    }

    #[test]
    fn what_one_system_has_is_in_modules_of_its_own() {
        let check =
            |source: &str, lines: &[usize]| assert_eq!(names_a_system(source), lines, "{source}");
        check("use std::os::unix::fs::symlink;\n", &[1]);
        check("fn f() {\n    libc::exit(1);\n}\n// libc::exit\n", &[2]);
        check("#[cfg(unix)]\nmod os {\n    use rustix::fs;\n}\nuse rustix::io;\n", &[5]);
        check("#[cfg(test)]\nmod tests {\n    use std::os::unix::fs;\n}\nuse std::os::fd;\n", &[5]);
        check("#[cfg(all(test, unix))]\nmod tests {\n    use std::os::unix::fs;\n}\n", &[]);
        check("#[cfg(unix)]\nmod fast {\n    use std::os::unix::fs;\n}\n", &[3]);
        check("#[cfg(test)]\nmod tests;\nuse std::os::unix::fs;\n", &[3]);
    }

    #[test]
    fn files_say_what_they_are_for() {
        check("//! Doors.\n", &[]);
        check("#![no_main]\n\n//! Doors.\n", &[]);
        check("use std::fs;\n", &[1]);
        check("/// A door.\nstruct Door;\n", &[1]);
        check("", &[1]);
    }

    #[test]
    fn std_comes_first_and_flat() {
        check("//! A.\nuse std::fs;\nuse std::io;\n\nuse a::{b,\n    c,\n};\n", &[]);
        check("//! A.\nuse a::b;\n\nuse std::fs;\n", &[4]);
        check("//! A.\nuse std::{fs, io};\n", &[2]);
        check("//! A.\nuse a::b;\nfn f() {\n    use std::fs;\n}\n", &[]);
    }
}
