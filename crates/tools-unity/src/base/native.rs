//! How C# calls the classes of the engine itself.

use std::sync::Arc;

/// Native components that are not directly in `UnityEngine`.
const ELSEWHERE: [(&str, &str); 12] = [
    ("NavMeshAgent", "AI"),
    ("NavMeshObstacle", "AI"),
    ("OffMeshLink", "AI"),
    ("PlayableDirector", "Playables"),
    ("VideoPlayer", "Video"),
    ("Tilemap", "Tilemaps"),
    ("TilemapRenderer", "Tilemaps"),
    ("TilemapCollider2D", "Tilemaps"),
    ("SortingGroup", "Rendering"),
    ("ParentConstraint", "Animations"),
    ("PositionConstraint", "Animations"),
    ("RotationConstraint", "Animations"),
];

/// Full name of a native component's class.
pub fn native_name(class: &str) -> Arc<str> {
    match ELSEWHERE.iter().find(|(name, _)| *name == class) {
        Some((name, space)) => format!("UnityEngine.{space}.{name}").into(),
        None => format!("UnityEngine.{class}").into(),
    }
}
