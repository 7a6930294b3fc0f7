//! What the console refuses by name, and what it says instead. `docs/console.md` tells the same, from
//! these tables. Nothing here keeps code in: that is done by knowing no other types than those of the
//! world and of `data/console.txt`. The tables only make a refusal say more than "unknown".

/// Namespaces whose types the console knows, so that a `using` of them says nothing new.
pub(crate) const NAMESPACES: [&str; 3] = ["System", "UnityEngine", "UniverseLib"];

/// Namespaces inside those that reach where the console does not.
pub(crate) const FORBIDDEN: [&str; 7] = [
    "System.IO",
    "System.Net",
    "System.Reflection",
    "System.Diagnostics",
    "System.Threading",
    "System.Runtime",
    "UnityEngine.Networking",
];

/// Well-known types that the console has not, and what to do instead.
pub(crate) const UNSUPPORTED: [(&[&str], &str); 10] = [
    (
        &[
            "File",
            "Directory",
            "Path",
            "StreamReader",
            "StreamWriter",
            "FileStream",
            "FileInfo",
            "DirectoryInfo",
        ],
        "the console reaches no files; use the project's file tools",
    ),
    (
        &["HttpClient", "WebClient", "Socket", "TcpClient", "UnityWebRequest", "Dns"],
        "the console reaches no network",
    ),
    (&["Process", "Environment", "AppDomain", "GC", "Marshal"], "the console sees the scene only"),
    (
        &["Assembly", "Activator", "BindingFlags", "MethodInfo", "FieldInfo", "PropertyInfo"],
        "reflection is not supported; name members directly, as in component.member",
    ),
    (&["Thread", "Task", "Parallel", "Monitor"], "code runs at once and alone"),
    (
        &["Random", "DateTime", "Stopwatch", "Guid", "TimeSpan"],
        "runs are repeatable, so there is neither chance nor a clock",
    ),
    (&["Console"], "use Debug.Log, or return the value"),
    (
        &["Input", "Physics", "Physics2D", "Application", "Resources", "PlayerPrefs"],
        "the game does not run here; use GameObject.Find and components",
    ),
    (
        &["AssetDatabase", "EditorApplication", "EditorUtility", "Selection", "Undo"],
        "the editor is not here; use the project's tools for assets",
    ),
    (&["Regex"], "use string methods such as Contains, Split and Replace"),
];

/// What to say of well-known types that the console has not.
pub(crate) fn unsupported(name: &str) -> Option<String> {
    let short = name.rsplit('.').next().unwrap_or(name);
    let (_, instead) = UNSUPPORTED.iter().find(|(names, _)| names.contains(&short))?;
    Some(format!("'{short}' is not supported: {instead}"))
}
