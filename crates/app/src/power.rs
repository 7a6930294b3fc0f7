//! What a command may change: its own options, and `READ_ONLY_MODE` above them all.

use anyhow::{Result, bail};

/// Holds everywhere, whatever options say.
pub(crate) const READ_ONLY: &str = "READ_ONLY_MODE";

/// Whether a command that asks for writes gets them.
pub(crate) fn may_write(asked: bool) -> Result<bool> {
    let forbidden = match std::env::var(READ_ONLY) {
        Ok(text) => is_on(&text)?,
        Err(std::env::VarError::NotPresent) => false,
        Err(error) => bail!("{READ_ONLY}: {error}"),
    };
    Ok(asked && !forbidden)
}

/// A word that is neither yes nor no is no answer: whoever wrote it meant something by it.
fn is_on(text: &str) -> Result<bool> {
    Ok(match text.trim().to_ascii_lowercase().as_str() {
        "1" | "true" | "yes" | "on" => true,
        "" | "0" | "false" | "no" | "off" => false,
        other => bail!("{READ_ONLY} is '{other}'; it takes true or false"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yes_and_no_have_several_words() {
        for yes in ["true", "TRUE", "1", "Yes", " on "] {
            assert!(is_on(yes).unwrap(), "{yes}");
        }
        for no in ["", "false", "0", "No", "OFF"] {
            assert!(!is_on(no).unwrap(), "{no}");
        }
        assert!(is_on("tru").unwrap_err().to_string().contains("it takes true or false"));
    }
}
