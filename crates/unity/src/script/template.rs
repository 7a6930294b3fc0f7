//! C# scripts to start from: our own words, compiled by every version of Unity from 2018 on.

/// What a new script is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names are C#'s and Unity's own")]
pub enum Template {
    MonoBehaviour,
    ScriptableObject,
    Class,
    Struct,
    Enum,
    Interface,
    EditorWindow,
    /// An editor for the inspector of another class.
    Inspector,
    Test,
}

impl Template {
    /// All of them.
    pub const ALL: [Template; 9] = [
        Template::MonoBehaviour,
        Template::ScriptableObject,
        Template::Class,
        Template::Struct,
        Template::Enum,
        Template::Interface,
        Template::EditorWindow,
        Template::Inspector,
        Template::Test,
    ];

    /// The source of a class of this name. `target` is the class that an inspector or a test is for.
    pub fn source(self, class: &str, namespace: &str, target: &str) -> String {
        let (usings, lines) = self.parts(class, target);
        let mut text = String::new();
        for using in usings {
            text += &format!("using {using};\n");
        }
        if !usings.is_empty() {
            text.push('\n');
        }
        let depth = if namespace.is_empty() { "" } else { "    " };
        if !namespace.is_empty() {
            text += &format!("namespace {namespace}\n{{\n");
        }
        for line in lines.lines() {
            let depth = if line.is_empty() { "" } else { depth };
            text += &format!("{depth}{line}\n");
        }
        if !namespace.is_empty() {
            text += "}\n";
        }
        text
    }

    /// Whether it is code of the editor, which is in no build.
    pub fn is_for_editor(self) -> bool {
        matches!(self, Template::EditorWindow | Template::Inspector)
    }

    fn parts(self, class: &str, target: &str) -> (&'static [&'static str], String) {
        let title = spaced(class);
        match self {
            Template::MonoBehaviour => (
                &["UnityEngine"],
                format!(
                    "public class {class} : MonoBehaviour\n{{\n    private void Start()\n    {{\n    }}\n\n    \
                     private void Update()\n    {{\n    }}\n}}\n"
                ),
            ),
            Template::ScriptableObject => (
                &["UnityEngine"],
                format!(
                    "[CreateAssetMenu(fileName = \"{class}\", menuName = \"{title}\")]\n\
                     public class {class} : ScriptableObject\n{{\n}}\n"
                ),
            ),
            Template::Class => (&[], format!("public class {class}\n{{\n}}\n")),
            Template::Struct => {
                (&["System"], format!("[Serializable]\npublic struct {class}\n{{\n}}\n"))
            }
            Template::Enum => (&[], format!("public enum {class}\n{{\n    None = 0,\n}}\n")),
            Template::Interface => (&[], format!("public interface {class}\n{{\n}}\n")),
            Template::EditorWindow => (
                &["UnityEditor"],
                format!(
                    "public class {class} : EditorWindow\n{{\n    [MenuItem(\"Window/{title}\")]\n    \
                     private static void Open()\n    {{\n        GetWindow<{class}>(\"{title}\");\n    }}\n\n    \
                     private void OnGUI()\n    {{\n        EditorGUILayout.LabelField(\"{title}\");\n    }}\n}}\n"
                ),
            ),
            Template::Inspector => (
                &["UnityEditor"],
                format!(
                    "[CustomEditor(typeof({target}))]\npublic class {class} : Editor\n{{\n    \
                     public override void OnInspectorGUI()\n    {{\n        serializedObject.Update();\n        \
                     DrawDefaultInspector();\n        serializedObject.ApplyModifiedProperties();\n    }}\n}}\n"
                ),
            ),
            Template::Test => (
                &["NUnit.Framework"],
                format!(
                    "public class {class}\n{{\n    [Test]\n    public void IsToBeWritten()\n    {{\n        \
                     Assert.Inconclusive(\"{title} has no test yet.\");\n    }}\n}}\n"
                ),
            ),
        }
    }
}

/// Whether a text can be the name of a class.
pub fn is_identifier(text: &str) -> bool {
    let is_start = |c: char| c == '_' || c.is_alphabetic();
    text.starts_with(is_start)
        && text.chars().all(|c| is_start(c) || c.is_numeric())
        && !KEYWORDS.contains(&text)
}

/// Words that C# keeps for itself.
const KEYWORDS: [&str; 77] = [
    "abstract",
    "as",
    "base",
    "bool",
    "break",
    "byte",
    "case",
    "catch",
    "char",
    "checked",
    "class",
    "const",
    "continue",
    "decimal",
    "default",
    "delegate",
    "do",
    "double",
    "else",
    "enum",
    "event",
    "explicit",
    "extern",
    "false",
    "finally",
    "fixed",
    "float",
    "for",
    "foreach",
    "goto",
    "if",
    "implicit",
    "in",
    "int",
    "interface",
    "internal",
    "is",
    "lock",
    "long",
    "namespace",
    "new",
    "null",
    "object",
    "operator",
    "out",
    "override",
    "params",
    "private",
    "protected",
    "public",
    "readonly",
    "ref",
    "return",
    "sbyte",
    "sealed",
    "short",
    "sizeof",
    "stackalloc",
    "static",
    "string",
    "struct",
    "switch",
    "this",
    "throw",
    "true",
    "try",
    "typeof",
    "uint",
    "ulong",
    "unchecked",
    "unsafe",
    "ushort",
    "using",
    "virtual",
    "void",
    "volatile",
    "while",
];

/// `DoorLock` for people: `Door Lock`.
fn spaced(name: &str) -> String {
    let mut text = String::new();
    let mut was_small = false;
    for letter in name.chars() {
        if was_small && letter.is_uppercase() {
            text.push(' ');
        }
        was_small = letter.is_lowercase() || letter.is_numeric();
        text.push(letter);
    }
    text
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;
    use crate::script::parse;

    #[test]
    fn every_template_can_be_read_and_declares_its_class() {
        use Template::*;
        let all = [
            MonoBehaviour,
            ScriptableObject,
            Class,
            Struct,
            Enum,
            Interface,
            EditorWindow,
            Inspector,
            Test,
        ];
        for template in all {
            for namespace in ["", "Game.Doors"] {
                let source = template.source("DoorLock", namespace, "Door");
                let file = parse(&source);
                assert_eq!(file.problems, [], "{source}");
                let [one] = &file.types[..] else { panic!("{source}") };
                assert_eq!((&*one.name, &*one.namespace), ("DoorLock", namespace));
            }
        }
    }

    #[test]
    fn a_namespace_goes_around_the_class() {
        expect![[r#"
            using UnityEngine;

            namespace Game
            {
                public class Door : MonoBehaviour
                {
                    private void Start()
                    {
                    }

                    private void Update()
                    {
                    }
                }
            }
        "#]]
        .assert_eq(&Template::MonoBehaviour.source("Door", "Game", ""));
        expect![[r#"
            using UnityEngine;

            [CreateAssetMenu(fileName = "DoorLock", menuName = "Door Lock")]
            public class DoorLock : ScriptableObject
            {
            }
        "#]]
        .assert_eq(&Template::ScriptableObject.source("DoorLock", "", ""));
    }

    #[test]
    fn names_of_classes_are_words() {
        assert!(["Door", "_door2", "Tür"].iter().all(|name| is_identifier(name)));
        assert!(
            ["", "2nd", "My Door", "Door-Lock", "class"].iter().all(|name| !is_identifier(name))
        );
    }
}
