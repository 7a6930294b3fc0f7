//! Names that callers give slightly wrong: read as meant, with a remark, where nothing is written;
//! refused with the right one where something is.

use scenewright_contract::echo::brief;
use scenewright_contract::suggest;

use crate::Cx;

/// The one of `known` that `asked` can only mean, if this call may guess. The answer says so.
pub fn guess<'a>(
    cx: &Cx,
    what: &str,
    asked: &str,
    known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    let meant = suggest::meant(asked, known).filter(|_| cx.may_guess())?;
    read_instead(cx, what, asked, meant)
}

/// The same for a name that was found in another way.
pub fn read_instead<'a>(cx: &Cx, what: &str, asked: &str, meant: &'a str) -> Option<&'a str> {
    if !cx.may_guess() {
        return None;
    }
    cx.diagnose(format!("There is no {what} '{}'; '{meant}' was read instead.", brief(asked)));
    Some(meant)
}

/// Files of the same name in other folders, whatever the case; at most three. A name without an ending
/// is that of files with any.
pub fn same_file<'a>(path: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let name = last(path);
    let is_same = |other: &str| {
        let stem = other.rsplit_once('.').filter(|_| !name.contains('.')).map(|(stem, _)| stem);
        other.eq_ignore_ascii_case(name) || stem.is_some_and(|stem| stem.eq_ignore_ascii_case(name))
    };
    let same = known.into_iter().filter(|other| is_same(last(other)));
    same.take(3).collect()
}

/// What to try instead of a file that is not there: one of the same name, or of its kind.
pub fn file_hint<'a>(
    path: &str,
    known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
    otherwise: &str,
) -> String {
    let known = known.into_iter();
    let same = same_file(path, known.clone());
    if !same.is_empty() {
        return format!("did you mean {}?", same.join(" or "));
    }
    let kind = |path: &'a str| last(path).rsplit_once('.').map(|(_, kind)| kind);
    let wanted = last(path).rsplit_once('.').map(|(_, kind)| kind);
    suggest::did_you_mean(path, known.filter(|other| kind(other) == wanted), otherwise)
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}
