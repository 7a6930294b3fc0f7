//! JUnit's XML as GUT and GdUnit4 write it: cases, and why some did not pass. What else such files
//! may hold is passed over; a file that is cut gives what came before.

/// A larger file is no report.
pub(super) const MAX_FILE: u64 = 64 << 20;
/// So many cases are read.
const MAX_CASES: usize = 100_000;

/// A test, and what became of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Case {
    /// The suite that it is in, as the file names it.
    pub(super) suite: String,
    /// Where the suite is, where the file says so.
    pub(super) package: String,
    /// Its own name.
    pub(super) name: String,
    /// What became of it.
    pub(super) verdict: Verdict,
    /// How long it took.
    pub(super) seconds: String,
    /// The attribute `message` of a failure.
    pub(super) message: String,
    /// The text of a failure.
    pub(super) text: String,
}

/// What became of a test.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Verdict {
    /// It passed.
    Passed,
    /// It failed, or the engine reported an error in it.
    Failed,
    /// It was not run.
    Skipped,
}

/// The cases of a report.
pub(super) fn read(text: &str) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let (mut suite, mut package) = (String::new(), String::new());
    // Whether the text belongs to a failure of the last case.
    let mut in_failure = false;
    let mut rest = text;
    while let Some(at) = rest.find('<') {
        if in_failure && let Some(case) = cases.last_mut() {
            case.text.push_str(&unescape(&rest[..at]));
        }
        rest = &rest[at..];
        if let Some(data) = rest.strip_prefix("<![CDATA[") {
            let end = data.find("]]>").unwrap_or(data.len());
            if in_failure && let Some(case) = cases.last_mut() {
                case.text.push_str(&data[..end]);
            }
            rest = data.get(end + 3..).unwrap_or_default();
            continue;
        }
        let end = tag_end(rest);
        let tag = rest[1..end].trim_end_matches('/').trim();
        let is_whole = rest[..end].ends_with('/');
        rest = rest.get(end + 1..).unwrap_or_default();
        let name = tag.split(char::is_whitespace).next().unwrap_or_default();
        match name {
            "testsuite" => {
                suite = attribute(tag, "name");
                package = attribute(tag, "package");
            }
            "testcase" if cases.len() < MAX_CASES => cases.push(Case {
                suite: suite.clone(),
                package: package.clone(),
                name: attribute(tag, "name"),
                verdict: Verdict::Passed,
                seconds: attribute(tag, "time"),
                message: String::new(),
                text: String::new(),
            }),
            "failure" | "error" | "skipped" => {
                if let Some(case) = cases.last_mut() {
                    let verdict =
                        if name == "skipped" { Verdict::Skipped } else { Verdict::Failed };
                    // The first failure is told; one is never made a skip again.
                    in_failure = !is_whole && case.verdict != Verdict::Failed;
                    if case.verdict != Verdict::Failed {
                        case.verdict = verdict;
                        case.message = attribute(tag, "message");
                        case.text.clear();
                    }
                }
            }
            "/failure" | "/error" | "/skipped" => in_failure = false,
            _ => {}
        }
    }
    cases
}

/// Where a tag ends; a `>` inside quotes is a part of it.
fn tag_end(text: &str) -> usize {
    let mut quote = None;
    for (at, byte) in text.bytes().enumerate() {
        match (quote, byte) {
            (None, b'>') => return at,
            (None, b'"' | b'\'') => quote = Some(byte),
            (Some(open), byte) if open == byte => quote = None,
            _ => {}
        }
    }
    text.len()
}

/// The value of an attribute; empty when there is none.
fn attribute(tag: &str, name: &str) -> String {
    let find = || {
        for (at, _) in tag.match_indices(name) {
            let is_start = tag[..at].ends_with(char::is_whitespace);
            let value = tag[at + name.len()..].trim_start().strip_prefix('=');
            if let Some(value) = value.filter(|_| is_start).map(str::trim_start) {
                let quote = value.chars().next().filter(|quote| ['"', '\''].contains(quote))?;
                return value[1..].split(quote).next();
            }
        }
        None
    };
    unescape(find().unwrap_or_default())
}

/// Text without XML's names for characters.
fn unescape(text: &str) -> String {
    if !text.contains('&') {
        return text.to_owned();
    }
    let pairs = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"), ("&amp;", "&")];
    pairs.iter().fold(text.to_owned(), |text, (name, char)| text.replace(name, char))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(text: &str) -> Vec<String> {
        let show = |case: &Case| {
            let Case { suite, name, verdict, message, text, .. } = case;
            format!("{suite} {name} {verdict:?} {message:?} {:?}", text.trim())
        };
        read(text).iter().map(show).collect()
    }

    #[test]
    fn cases_and_their_failures_are_read() {
        let text = r#"<?xml version="1.0"?><testsuites name="x"><testsuite name="test/a.gd" tests="3">
            <testcase name="good" time="0.1"></testcase>
            <testcase name="bad &amp; &lt;b>" time="0.1"><failure message="FAILED: res://a.gd:5"><![CDATA[
one & <two>]]></failure><failure message="again">no</failure></testcase>
            <testcase name="later"><skipped message="pending"/></testcase>
            <testcase name="whole" /></testsuite></testsuites>"#;
        assert_eq!(
            shown(text),
            [
                r#"test/a.gd good Passed "" """#,
                r#"test/a.gd bad & <b> Failed "FAILED: res://a.gd:5" "one & <two>""#,
                r#"test/a.gd later Skipped "pending" """#,
                r#"test/a.gd whole Passed "" """#,
            ]
        );
    }

    #[test]
    fn no_text_is_too_odd() {
        for text in
            ["", "<", "<testcase", "<![CDATA[", "<testcase name=\"", "</failure>", "<failure>é"]
        {
            assert!(read(text).len() <= 1, "{text}");
        }
        assert_eq!(shown("<testcase name='a'><error>cut").len(), 1);
        assert_eq!(read("<testcase name='a'><error>cut")[0].verdict, Verdict::Failed);
    }
}
