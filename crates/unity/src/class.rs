//! Unity's native classes: their names, old and new, and which derives from which.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::ClassId;

impl ClassId {
    /// An object in a scene or prefab.
    pub const GAME_OBJECT: ClassId = ClassId(1);
    /// The place of an object in the hierarchy.
    pub const TRANSFORM: ClassId = ClassId(4);
    /// Triangles.
    pub const MESH: ClassId = ClassId(43);
    /// A component or asset whose class is a script.
    pub const MONO_BEHAVIOUR: ClassId = ClassId(114);
    /// A script; only those of classes without a file of their own are written into other files.
    pub const MONO_SCRIPT: ClassId = ClassId(115);
    /// The place of a user interface object in the hierarchy.
    pub const RECT_TRANSFORM: ClassId = ClassId(224);
    /// A prefab placed in a scene or prefab; files from before 2018.3 call it `Prefab`.
    pub const PREFAB_INSTANCE: ClassId = ClassId(1001);
    /// The order of a scene's root objects, since 2022.2.
    pub const SCENE_ROOTS: ClassId = ClassId(1660057539);

    /// The newest name of the class. An object's own key may be older; prefer that where there is one.
    pub fn name(self) -> Option<&'static str> {
        self.row().map(|row| row.name)
    }

    /// Every class, by number.
    pub fn all() -> impl Iterator<Item = ClassId> {
        TABLE.rows.iter().map(|row| row.class)
    }

    /// The class of this name, in its newest spelling or one that old files have.
    pub fn find(name: &str) -> Option<ClassId> {
        TABLE.by_name.get(name).copied()
    }

    /// The class this one derives from.
    pub fn base(self) -> Option<ClassId> {
        ClassId::find(self.row()?.base)
    }

    /// True for the class itself and all that derive from it.
    pub fn is_a(self, ancestor: ClassId) -> bool {
        // The table is ours and has no cycle, but a bound costs nothing.
        std::iter::successors(Some(self), |class| class.base())
            .take(32)
            .any(|class| class == ancestor)
    }

    fn row(self) -> Option<&'static Row> {
        let at = TABLE.rows.binary_search_by_key(&self, |row| row.class).ok()?;
        Some(&TABLE.rows[at])
    }
}

/// Names that the rows alone do not settle: those in old files, where the rows have the newest, and
/// those that two ids share, where this is the id that Unity's class list gives.
const SETTLED_NAMES: [(&str, ClassId); 6] = [
    ("Prefab", ClassId::PREFAB_INSTANCE),
    ("PhysicMaterial", ClassId(134)),
    ("NavMeshAreas", ClassId(126)),
    ("LightProbes", ClassId(258)),
    ("AvatarMask", ClassId(319)),
    ("VideoClip", ClassId(329)),
];

struct Table {
    /// Sorted by class.
    rows: Vec<Row>,
    by_name: HashMap<&'static str, ClassId>,
}

struct Row {
    class: ClassId,
    name: &'static str,
    base: &'static str,
}

static TABLE: LazyLock<Table> = LazyLock::new(|| {
    let mut rows: Vec<Row> =
        include_str!("../data/class-ids.tsv").lines().filter_map(parse_row).collect();
    rows.sort_by_key(|row| row.class);
    let mut by_name: HashMap<_, _> = rows.iter().map(|row| (row.name, row.class)).collect();
    by_name.extend(SETTLED_NAMES);
    Table { rows, by_name }
});

fn parse_row(line: &'static str) -> Option<Row> {
    let mut columns = line.split('\t');
    let class = ClassId(columns.next()?.parse().ok()?);
    Some(Row { class, name: columns.next()?, base: columns.next().unwrap_or("") })
}

#[cfg(test)]
mod tests {
    use expect_test::expect;

    use super::*;

    #[test]
    fn names_go_both_ways() {
        assert_eq!(TABLE.rows.len(), 415);
        let names = TABLE.rows.iter().filter(|row| ClassId::find(row.name) != Some(row.class));
        let shared: Vec<_> = names.map(|row| (row.class.0, row.name)).collect();
        expect![[r#"[(197, "LightProbes"), (327, "VideoClip"), (1011, "AvatarMask"), (1001480554, "Prefab")]"#]].assert_eq(&format!("{shared:?}"));
    }

    #[test]
    fn constants_and_old_names_agree_with_the_table() {
        let named = [
            ClassId::GAME_OBJECT,
            ClassId::TRANSFORM,
            ClassId::MONO_BEHAVIOUR,
            ClassId::RECT_TRANSFORM,
            ClassId::PREFAB_INSTANCE,
            ClassId::SCENE_ROOTS,
            ClassId(134),
            ClassId(4_000_000_000),
        ]
        .map(ClassId::name);
        expect![[r#"[Some("GameObject"), Some("Transform"), Some("MonoBehaviour"), Some("RectTransform"), Some("PrefabInstance"), Some("SceneRoots"), Some("PhysicsMaterial"), None]"#]]
            .assert_eq(&format!("{named:?}"));
        assert_eq!(ClassId::find("Prefab"), Some(ClassId::PREFAB_INSTANCE));
        assert_eq!(ClassId::find("PhysicMaterial"), Some(ClassId(134)));
    }

    #[test]
    fn knows_components_from_assets() {
        let component = ClassId::find("Component").unwrap();
        assert!(ClassId::RECT_TRANSFORM.is_a(ClassId::TRANSFORM));
        assert!(ClassId::MONO_BEHAVIOUR.is_a(component));
        assert!(!ClassId::find("Material").unwrap().is_a(component));
    }
}
