//! Clients that need an answer to be other than usual, by the names that they announce. `cargo xtask clients` drives them.

/// Those that show their model a picture as base64 inside of a text.
const PASTE_BYTES: [&str; 3] = ["@cline/core", "continue-cli-client", "nanocoder-mcp-client"];
/// Those that cut the middle out of answers that others pass on, and the tokens that they leave whole: Cline has 8,000
/// characters, in which quotes and ends of lines count twice.
const CUT_EARLY: [(&str, usize); 1] = [("@cline/core", 1700)];

/// Whether a client of this name shows pictures to its model.
pub(crate) fn shows_pictures(client: Option<&str>) -> bool {
    client.is_none_or(|client| !PASTE_BYTES.contains(&client))
}

/// The tokens of an answer to a client of this name, where others get `usual`.
pub(crate) fn answer_tokens(client: Option<&str>, usual: usize) -> usize {
    let known = CUT_EARLY.iter().find(|(name, _)| client == Some(*name));
    known.map_or(usual, |(_, most)| usual.min(*most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_pastes_bytes_gets_no_picture() {
        assert!(shows_pictures(Some("claude-code")) && shows_pictures(None));
        assert!(!shows_pictures(Some("@cline/core")));
    }

    #[test]
    fn who_cuts_early_gets_shorter_answers_and_nobody_longer_ones() {
        assert_eq!(answer_tokens(Some("@cline/core"), 2800), 1700);
        assert_eq!(answer_tokens(Some("@cline/core"), 500), 500);
        assert_eq!(answer_tokens(Some("claude-code"), 2800), 2800);
        assert_eq!(answer_tokens(None, 2800), 2800);
    }
}
