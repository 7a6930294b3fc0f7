//! The ways out of a project that a text can name.

use std::path::Path;

/// Files that somebody would like to see, by kind.
pub(super) const ENDINGS: [&str; 17] = [
    "gd", "tscn", "tres", "cs", "unity", "prefab", "asset", "mat", "json", "asmdef", "cfg", "txt",
    "md", "godot", "gdshader", "ldtk", "csx",
];

/// Every way to the secret, in the place of `instead`, whose kind of file is kept: most tools look at
/// the ending first.
pub(super) fn all(instead: &str, outside: &Path) -> Vec<String> {
    let ending = instead.rsplit_once('.').map_or("txt", |(_, ending)| ending);
    let ending = if ENDINGS.contains(&ending) { ending } else { "txt" };
    let outside = outside.to_string_lossy().replace('\\', "/");
    let file = format!("secret.{ending}");
    let near = format!("outside/{file}");
    let up = |count: usize| "../".repeat(count);
    let mut ways = vec![
        format!("{}{near}", up(2)),
        format!("{}{near}", up(3)),
        format!("{}{}", up(20), format!("{outside}/{file}").trim_start_matches('/')),
        format!("{outside}/{file}"),
        format!("{outside}/"),
        format!("scenes/{}{near}", up(3)),
        format!("././/../.{}/{near}", "./."),
        format!("res://{}{near}", up(2)),
        format!("res://scenes/{}{near}", up(3)),
        format!("res://{outside}/{file}"),
        format!("file://{outside}/{file}"),
        format!("file://localhost{outside}/{file}"),
        format!("uid://{}{near}", up(2)),
        format!("user://{}{near}", up(2)),
        format!("user://{file}"),
        format!("godot://script/{}{near}", up(2)),
        format!("{}{}", up(2), near.replace('/', "\\")).replace('/', "\\"),
        format!("res://{}", format!("{}{near}", up(2)).replace('/', "\\")),
        format!("\\\\localhost\\c$\\{file}"),
        format!("//localhost{outside}/{file}"),
        format!("C:\\{file}"),
        format!("C:{outside}/{file}"),
        format!("link_{file}"),
        format!("Assets/link_{file}"),
        format!("res://link_{file}"),
        format!("link_folder/{file}"),
        format!("Assets/link_folder/folder/{file}"),
        format!("res://link_folder/new.{ending}"),
        format!("res://link_up/{file}"),
        "link_folder".to_owned(),
        "/proc/self/environ".to_owned(),
        format!("{}proc/self/environ", up(20)),
        "$FAULTS_SECRET".to_owned(),
        format!("~/../outside/{file}"),
        format!("{outside}/{file}\0.{ending}"),
        format!("scenes/main.tscn\0{}{near}", up(3)),
        format!("{}{}", up(5000), near),
        encode(&format!("{}{near}", up(2)), 1),
        encode(&format!("{}{near}", up(2)), 2),
        format!("..%2f..%2f{near}"),
        format!("\u{ff0e}\u{ff0e}/\u{2025}/{near}"),
    ];
    ways.push(format!("{}{near}", "x/../".repeat(3) + &up(2)));
    ways
}

/// Dots and slashes percent-encoded, so many times over.
pub(super) fn encode(path: &str, times: usize) -> String {
    (0..times).fold(path.to_owned(), |path, _| {
        path.replace('%', "%25").replace('.', "%2e").replace('/', "%2f")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keeps_the_kind_of_file() {
        let ways = all("res://scenes/main.tscn", Path::new("/tmp/outside"));
        assert!(ways.contains(&"../../outside/secret.tscn".to_owned()));
        assert!(ways.contains(&"/tmp/outside/secret.tscn".to_owned()));
        assert!(ways.contains(&"..\\..\\outside\\secret.tscn".to_owned()));
        assert_eq!(encode("../a", 2), "%252e%252e%252fa");
    }
}
