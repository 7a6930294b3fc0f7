//! "Did you mean": the known names nearest to a wrong one.

use crate::echo::may_be_name;

/// So many choices are named where none is near.
const MAX_LISTED: usize = 12;

/// Up to three of `known` that are close to `wrong`, nearest first. How long that takes grows with
/// the square of the names, so what is too long for one is near to none.
pub fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    if !may_be_name(wrong) {
        return Vec::new();
    }
    let flat = |name: &str| name.to_ascii_lowercase().replace(['.', '-', ' '], "_");
    let wrong = flat(wrong);
    let meant = in_plain_verbs(&wrong);
    let score = |name: &str| {
        let name = flat(name);
        // By its letters `delete_node` is nearer to `delete_script` than to `remove_node`.
        if in_plain_verbs(&name) == meant { 1.0 } else { strsim::jaro_winkler(&wrong, &name) }
    };
    let mut scored: Vec<(f64, &str)> = known
        .into_iter()
        .map(|name| (score(name), name))
        .filter(|(score, _)| *score > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    // A common prefix alone makes names alike; only what is about as near as the best counts.
    let best = scored.first().map_or(0.0, |(score, _)| *score);
    scored.into_iter().filter(|(s, _)| *s > best - 0.06).take(3).map(|(_, name)| name).collect()
}

/// The one of `known` that `wrong` can only mean: the same but for case, or the only one that is a
/// slip of the pen away. Names that differ in a number are never the same thing.
pub fn meant<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str, IntoIter: Clone>,
) -> Option<&'a str> {
    if !may_be_name(wrong) {
        return None;
    }
    let known = known.into_iter();
    let mut same = known.clone().filter(|name| name.to_lowercase() == wrong.to_lowercase());
    if let Some(first) = same.next() {
        return same.next().is_none().then_some(first);
    }
    let mut near = slips(wrong, known);
    let first = near.next()?;
    near.next().is_none().then_some(first)
}

/// Those of `known` that are a slip of the pen away. Very short words have none.
pub fn slips<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> impl Iterator<Item = &'a str> {
    let digits = |name: &str| name.chars().filter(char::is_ascii_digit).collect::<String>();
    let (lower, number) = (wrong.to_lowercase(), digits(wrong));
    let letters = wrong.chars().count();
    let most = if letters < 5 { 1 } else { 2 };
    let may_slip = letters > 2 && may_be_name(wrong);
    known.into_iter().filter(move |name| {
        may_slip
            && name.len().abs_diff(lower.len()) <= 2 * most
            && may_be_name(name)
            && strsim::osa_distance(&lower, &name.to_lowercase()) <= most
            && digits(name) == number
    })
}

/// All of `known`, nearest to `wrong` first.
pub fn choices<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Vec<&'a str> {
    let mut known: Vec<(f64, &str)> = known
        .into_iter()
        .filter(|name| may_be_name(name))
        .map(|name| (strsim::jaro_winkler(&wrong.to_lowercase(), &name.to_lowercase()), name))
        .collect();
    known.sort_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(b.1)));
    known.dedup_by(|a, b| a.1 == b.1);
    known.into_iter().map(|(_, name)| name).collect()
}

/// A name with one verb for those that mean the same.
fn in_plain_verbs(name: &str) -> String {
    let plain = |word| match word {
        "delete" | "destroy" | "erase" => "remove",
        "create" | "new" | "make" | "insert" => "add",
        "update" | "change" | "modify" => "edit",
        "show" | "read" => "get",
        word => word,
    };
    name.split('_').map(plain).collect::<Vec<_>>().join("_")
}

/// What to try instead of a name that is not there: the nearest, or what there is; `otherwise` says
/// where all of it is told.
pub fn did_you_mean<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(wrong, known.iter().copied()).as_slice() {
        [] => there_is(&choices(wrong, known), otherwise),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// The same where the known names stand in an order that says more than their letters: what is used most
/// comes first.
pub fn did_you_mean_in_order<'a>(
    wrong: &str,
    known: impl IntoIterator<Item = &'a str>,
    otherwise: &str,
) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match nearest(wrong, known.iter().copied()).as_slice() {
        [] => there_is(&known, otherwise),
        names => format!("did you mean {}?", names.join(" or ")),
    }
}

/// What there is, as it is sorted, and where the rest is told; only that if it names them itself.
fn there_is(choices: &[&str], otherwise: &str) -> String {
    let shown = &choices[..choices.len().min(MAX_LISTED)];
    let is_told = shown.iter().take(2).all(|name| otherwise.contains(name));
    if shown.is_empty() || is_told {
        return otherwise.to_owned();
    }
    let names = shown.join(", ");
    match choices.len() - shown.len() {
        0 => format!("there is {names}"),
        more => format!("there is {names} and {more} more; {otherwise}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_there_is_comes_nearest_first() {
        let known = ["alpha", "beta", "gamma"];
        assert_eq!(did_you_mean("alfa", known, "-"), "did you mean alpha?");
        assert_eq!(did_you_mean("zzz", known, "-"), "there is alpha, beta, gamma");
        assert_eq!(did_you_mean("zzz", [], "look elsewhere"), "look elsewhere");
        assert_eq!(
            did_you_mean("zzz", known, "it is gamma, alpha or beta"),
            "it is gamma, alpha or beta"
        );
        let many: Vec<String> = (10..40).map(|number| format!("name{number}")).collect();
        let told = did_you_mean("zzz", many.iter().map(String::as_str), "look elsewhere");
        assert!(told.ends_with("name21 and 18 more; look elsewhere"), "{told}");
    }

    #[test]
    fn finds_the_nearest_name_whatever_the_separator() {
        let known = ["project.info", "project.getVersion", "mcp.health"];
        assert_eq!(nearest("project_inof", known), ["project.info"]);
        assert_eq!(nearest("zzz", known), Vec::<&str>::new());
        assert_eq!(did_you_mean("mcp.helth", known, "-"), "did you mean mcp.health?");
    }

    #[test]
    fn a_slip_of_the_pen_means_one_name() {
        let known = ["Player", "Player2", "Enemy", "Enemies", "UI", "Ui/Score"];
        assert_eq!(meant("player", known), Some("Player"));
        assert_eq!(meant("Plaeyr", known), Some("Player"));
        assert_eq!(meant("ui/scor", known), Some("Ui/Score"));
        assert_eq!(meant("Player3", known), None, "numbers are names of others");
        assert_eq!(meant("Boss", known), None);
        assert_eq!(meant("UX", known), None, "too short to tell");
        assert_eq!(meant("door", ["Door", "DOOR"]), None, "it could be both");
    }

    #[test]
    fn choices_come_nearest_first() {
        assert_eq!(choices("fase", ["strict", "fast", "fast"]), ["fast", "strict"]);
    }

    #[test]
    fn a_name_with_another_verb_is_the_nearest() {
        let known = ["delete_script", "remove_node", "add_node", "edit_node", "rename_node"];
        assert_eq!(nearest("delete_node", known), ["remove_node"]);
        assert_eq!(nearest("create_node", known), ["add_node"]);
        assert_eq!(nearest("node_modify", known), Vec::<&str>::new());
    }

    #[test]
    fn a_text_too_long_for_a_name_is_near_to_none() {
        let long = "a".repeat(crate::echo::MAX_NAME);
        assert_eq!(nearest(&long, [&*long]), [&*long]);
        let longer = format!("{long}a");
        assert!(nearest(&longer, [&*longer]).is_empty());
    }
}
