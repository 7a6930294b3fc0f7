//! The fenced parts of a page, with what comments say of them.

/// A fenced part.
pub(crate) struct Block {
    pub(crate) language: String,
    pub(crate) text: String,
    /// Where it is typed.
    pub(crate) place: String,
    /// What is done before.
    pub(crate) setup: Vec<String>,
    /// The tool that takes it.
    pub(crate) call: Option<String>,
    /// The exit code other than 0 that a command of it may have.
    pub(crate) exit: Option<i32>,
    /// Why it cannot be run here.
    pub(crate) not_run: Option<String>,
    /// Of its first line.
    pub(crate) line: usize,
}

/// Languages of what a reader may type.
const SHELLS: [&str; 6] = ["console", "sh", "bash", "zsh", "powershell", "bat"];

impl Block {
    pub(crate) fn is_typed(&self) -> bool {
        SHELLS.contains(&self.language.as_str())
    }
}

pub(crate) fn blocks(page: &str) -> Vec<Block> {
    let mut all = Vec::new();
    let (mut place, mut setup, mut call) = (String::new(), Vec::new(), None);
    let (mut exit, mut not_run) = (None, None);
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let line = line.trim_start();
        if let Some(comment) = line.strip_prefix("<!-- ").and_then(|line| line.strip_suffix(" -->"))
        {
            match comment.split_once(": ") {
                Some(("in", given)) => given.clone_into(&mut place),
                Some(("setup", given)) => setup.push(given.to_owned()),
                Some(("call", given)) => call = Some(given.to_owned()),
                Some(("exit", given)) => exit = given.parse().ok(),
                Some(("not run", given)) => not_run = Some(given.to_owned()),
                _ => {}
            }
        }
        let Some(language) = line.strip_prefix("```") else { continue };
        let text: String = lines
            .by_ref()
            .map(|(_, line)| line)
            .take_while(|line| !line.trim_start().starts_with("```"))
            .flat_map(|line| [line, "\n"])
            .collect();
        all.push(Block {
            language: language.split([',', ' ']).next().unwrap_or_default().to_owned(),
            text,
            place: place.clone(),
            setup: std::mem::take(&mut setup),
            call: call.take(),
            exit: exit.take(),
            not_run: not_run.take(),
            line: number + 2,
        });
    }
    all
}

/// A page without its fenced parts, line by line as it was.
pub(crate) fn prose(page: &str) -> String {
    let mut is_code = false;
    page.lines()
        .flat_map(|line| {
            let is_fence = line.trim_start().starts_with("```");
            is_code ^= is_fence;
            [if is_code || is_fence { "" } else { line }, "\n"]
        })
        .collect()
}

#[test]
fn comments_say_what_becomes_of_a_block() {
    let page = "<!-- in: keep -->\n```console\n$ a\n```\n<!-- not run: why -->\n```sh\nb\n```\n\n```json\n{}\n```\n";
    let all = blocks(page);
    let told: Vec<_> =
        all.iter().map(|one| (&*one.text, &*one.place, one.not_run.is_some(), one.line)).collect();
    assert_eq!(
        told,
        [("$ a\n", "keep", false, 3), ("b\n", "keep", true, 7), ("{}\n", "keep", false, 11)]
    );
    assert!(!prose(page).contains("$ a") && prose("a\n```\nb\n```\nc").contains('c'));
}
