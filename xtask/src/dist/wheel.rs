//! Wheels for PyPI: the program as a script of the package, so that nothing of Python runs to start it.

use anyhow::Result;

use super::archive::{self, Entry};
use super::facts::{Facts, KEYWORDS, MCP_NAME, NAME};
use super::program::Program;
use super::{File, licenses};

/// One wheel for each program.
pub(super) fn wheels(facts: &Facts, programs: &[Program]) -> Result<Vec<File>> {
    programs.iter().map(|program| wheel(facts, program)).collect()
}

fn wheel(facts: &Facts, program: &Program) -> Result<File> {
    let (version, target) = (&facts.version, program.target);
    let tags = match target.local_wheel {
        // PyPI refuses this tag, and rightly: it runs where it was built.
        Some(local) if program.needs_libraries => local,
        _ => target.wheel,
    };
    let stem = format!("{NAME}-{version}");
    let info = format!("{stem}.dist-info");
    let mut entries = vec![
        Entry::program(format!("{stem}.data/scripts/{}", target.program()), &program.bytes),
        Entry::text(format!("{info}/METADATA"), metadata(facts)),
        Entry::text(format!("{info}/WHEEL"), about(tags)),
    ];
    entries.extend(licenses(&format!("{info}/licenses"))?);
    let record = record(&entries, &info);
    entries.push(Entry::text(format!("{info}/RECORD"), record));
    let path = format!("wheels/{stem}-py3-none-{tags}.whl");
    Ok(File::new(path, archive::zip(&entries)?))
}

fn about(tags: &str) -> String {
    let tags: String = tags.split('.').map(|tag| format!("Tag: py3-none-{tag}\n")).collect();
    format!("Wheel-Version: 1.0\nGenerator: {NAME}-xtask\nRoot-Is-Purelib: false\n{tags}")
}

fn metadata(facts: &Facts) -> String {
    let Facts { version, description, license, repository } = facts;
    format!(
        "Metadata-Version: 2.4\n\
         Name: {NAME}\n\
         Version: {version}\n\
         Summary: {description}\n\
         License-Expression: {license}\n\
         License-File: LICENSE-APACHE\n\
         License-File: LICENSE-MIT\n\
         Keywords: {}\n\
         Project-URL: Repository, {repository}\n\
         Requires-Python: >=3.8\n\
         Description-Content-Type: text/markdown\n\
         \n\
         {description}.\n\
         \n    uvx {NAME} --help\n\n\
         The documentation is at {repository}.\n\
         \n<!-- mcp-name: {MCP_NAME} -->\n",
        KEYWORDS.join(",")
    )
}

/// Each file with its digest and size, and the record itself without.
fn record(entries: &[Entry], info: &str) -> String {
    let mut lines = String::new();
    for entry in entries {
        let digest = archive::base64(&archive::sha256(&entry.bytes));
        lines.push_str(&format!("{},sha256={digest},{}\n", entry.path, entry.bytes.len()));
    }
    lines.push_str(&format!("{info}/RECORD,,\n"));
    lines
}

#[cfg(test)]
mod tests {
    use super::super::facts::TARGETS;
    use super::super::{facts, program};
    use super::*;

    #[test]
    fn a_program_that_needs_libraries_is_not_offered_to_everyone() {
        let mut linked = program::example(&TARGETS[0]);
        let path = |program: &Program| wheel(&facts::example(), program).unwrap().path;
        let tags = "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64";
        assert_eq!(path(&linked), format!("wheels/scenewright-1.2.3-py3-none-{tags}.whl"));
        linked.needs_libraries = true;
        assert_eq!(path(&linked), "wheels/scenewright-1.2.3-py3-none-linux_x86_64.whl");
    }

    #[test]
    fn the_record_names_every_file() {
        let entries = [Entry::text("a", ""), Entry::text("b", "x")];
        let record = record(&entries, "i");
        assert_eq!(
            record,
            "a,sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\n\
             b,sha256=LXEWQrcmsEQBYnyp-6wy9chTD7GQPMTbAiWHF5IaSIE,1\n\
             i/RECORD,,\n"
        );
    }
}
