//! Where an object is in the world, from the transforms above it.

use scenewright_unity::hierarchy::{Effective, Node};
use scenewright_unity::pose as unity;
use schemars::JsonSchema;
use serde::Serialize;

/// More above each other nobody has; a circle ends here.
const MOST: usize = 1000;

/// A place in the world, as the editor shows it for an object without a parent.
#[derive(Debug, Clone, Serialize, JsonSchema, PartialEq)]
pub struct Pose {
    /// Where it is: x, y, z.
    pub position: [f64; 3],
    /// How it is turned, as a quaternion: x, y, z, w.
    pub rotation: [f64; 4],
    /// How large it is: x, y, z. Of no meaning where turned objects are scaled unevenly above it.
    pub scale: [f64; 3],
}

/// The pose of an object; nothing where a canvas, or something that is not in the files, places it.
pub fn of(node: &Node<'_>) -> Option<Pose> {
    above(node)?.into_iter().reduce(|inner, outer| outer.outward(&inner)).map(round)
}

/// The same as numbers that also tell what uneven sizes above do.
pub fn matrix(node: &Node<'_>) -> Option<unity::Matrix> {
    let matrices = above(node)?.into_iter().map(|pose| unity::Matrix::of(&pose));
    matrices.reduce(|inner, outer| outer.outward(&inner))
}

/// The poses of an object and of all that it is in, each in the next.
fn above(node: &Node<'_>) -> Option<Vec<unity::Pose>> {
    let mut poses = vec![local(node)?];
    for parent in node.ancestors() {
        poses.push(local(&parent)?);
        if poses.len() > MOST {
            return None;
        }
    }
    Some(poses)
}

fn local(node: &Node<'_>) -> Option<unity::Pose> {
    let components = node.components();
    let transform = components.first()?;
    // Rectangles are placed by their anchors and by layouts.
    if transform.value("m_AnchorMin").is_some() {
        return None;
    }
    let number = |field: &str, part: &str| {
        transform.value(&format!("{field}.{part}")).as_ref().and_then(Effective::text)?.parse().ok()
    };
    let three = |field: &str| Some([number(field, "x")?, number(field, "y")?, number(field, "z")?]);
    let [x, y, z] = three("m_LocalRotation")?;
    Some(unity::Pose {
        position: three("m_LocalPosition")?,
        rotation: [x, y, z, number("m_LocalRotation", "w")?],
        scale: three("m_LocalScale")?,
    })
}

/// Six digits, as many as the editor's numbers have.
fn round(pose: unity::Pose) -> Pose {
    let short = |number: f64| {
        let rounded = (number * 1e6).round() / 1e6;
        if rounded == 0.0 { 0.0 } else { rounded }
    };
    Pose {
        position: pose.position.map(short),
        rotation: pose.rotation.map(short),
        scale: pose.scale.map(short),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_child_turns_and_grows_with_what_is_above_it() {
        // A quarter turn about y: what was ahead is to the right.
        let half = std::f64::consts::FRAC_1_SQRT_2;
        let outer = unity::Pose {
            position: [10.0, 0.0, 0.0],
            rotation: [0.0, half, 0.0, half],
            scale: [2.0; 3],
        };
        let inner = unity::Pose {
            position: [0.0, 1.0, 3.0],
            rotation: [0.0, half, 0.0, half],
            scale: [0.5; 3],
        };
        let pose = round(outer.outward(&inner));
        assert_eq!(pose.position, [16.0, 2.0, 0.0]);
        assert_eq!(pose.rotation, [0.0, 1.0, 0.0, 0.0]);
        assert_eq!(pose.scale, [1.0; 3]);
    }
}
