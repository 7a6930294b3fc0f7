//! Numbers in files that stand for names: the enums of the engine, and which fields of native classes
//! hold one.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::{ClassId, types};

static TABLE: LazyLock<HashMap<&'static str, Vec<(&'static str, i64)>>> = LazyLock::new(|| {
    let lines = include_str!("../../data/engine-enums.tsv").lines();
    let rows = lines.filter(|line| !line.starts_with('#')).filter_map(|line| line.split_once('\t'));
    rows.map(|(name, members)| (name, read(members))).collect()
});

/// `Skybox=1 SolidColor Depth`: each is one more than the one before unless it says its number.
fn read(members: &'static str) -> Vec<(&'static str, i64)> {
    let mut next = 0;
    let members = members.split(' ').map(|member| {
        let (name, number) = member.split_once('=').unwrap_or((member, ""));
        let number = number.parse().unwrap_or(next);
        next = number + 1;
        (name, number)
    });
    members.collect()
}

/// The members of an enum of the engine with their numbers, by its simple name.
///
/// ```
/// use scenewright_unity::edit::enums;
/// assert!(enums::members("KeyCode").unwrap().contains(&("Space", 32)));
/// assert_eq!(enums::members("Door"), None);
/// ```
pub fn members(name: &str) -> Option<&'static [(&'static str, i64)]> {
    TABLE.get(name).map(Vec::as_slice)
}

/// The enum whose numbers a field of a native class holds, by its path in the file.
///
/// ```
/// use scenewright_unity::{ClassId, edit::enums};
/// let light = ClassId::find("Light").expect("a class");
/// assert_eq!(enums::of_field(light, "m_Shadows.m_Type"), Some("LightShadows"));
/// ```
pub fn of_field(class: ClassId, path: &str) -> Option<&'static str> {
    let name = class.name()?;
    let mut rows = FIELDS.iter();
    let row = rows.find(|(owner, field, _)| *field == path && types::is_a(name, owner))?;
    Some(row.2)
}

/// Fields that hold a number of an enum. Where file and interface count differently, as in
/// `m_CullingType`, a field is not here.
const FIELDS: [(&str, &str, &str); 57] = [
    ("Animator", "m_CullingMode", "AnimatorCullingMode"),
    ("Animator", "m_UpdateMode", "AnimatorUpdateMode"),
    ("Animation", "m_WrapMode", "WrapMode"),
    ("AudioReverbFilter", "m_ReverbPreset", "AudioReverbPreset"),
    ("AudioReverbZone", "m_ReverbPreset", "AudioReverbPreset"),
    ("AudioSource", "rolloffMode", "AudioRolloffMode"),
    ("Camera", "m_ClearFlags", "CameraClearFlags"),
    ("Camera", "m_RenderingPath", "RenderingPath"),
    ("Camera", "m_TargetEye", "StereoTargetEyeMask"),
    ("Canvas", "m_RenderMode", "RenderMode"),
    ("CapsuleCollider2D", "m_Direction", "CapsuleDirection2D"),
    ("ConfigurableJoint", "m_XMotion", "ConfigurableJointMotion"),
    ("ConfigurableJoint", "m_YMotion", "ConfigurableJointMotion"),
    ("ConfigurableJoint", "m_ZMotion", "ConfigurableJointMotion"),
    ("ConfigurableJoint", "m_AngularXMotion", "ConfigurableJointMotion"),
    ("ConfigurableJoint", "m_AngularYMotion", "ConfigurableJointMotion"),
    ("ConfigurableJoint", "m_AngularZMotion", "ConfigurableJointMotion"),
    ("ConfigurableJoint", "m_RotationDriveMode", "RotationDriveMode"),
    ("ConfigurableJoint", "m_ProjectionMode", "JointProjectionMode"),
    ("AreaEffector2D", "m_ForceTarget", "EffectorSelection2D"),
    ("PointEffector2D", "m_ForceSource", "EffectorSelection2D"),
    ("PointEffector2D", "m_ForceTarget", "EffectorSelection2D"),
    ("PointEffector2D", "m_ForceMode", "EffectorForceMode2D"),
    ("LODGroup", "m_FadeMode", "LODFadeMode"),
    ("Light", "m_Type", "LightType"),
    ("Light", "m_RenderMode", "LightRenderMode"),
    ("Light", "m_Lightmapping", "LightmapBakeType"),
    ("Light", "m_Shadows.m_Type", "LightShadows"),
    ("Light", "m_Shadows.m_Resolution", "LightShadowResolution"),
    ("LineRenderer", "m_Parameters.alignment", "LineAlignment"),
    ("LineRenderer", "m_Parameters.textureMode", "LineTextureMode"),
    ("TrailRenderer", "m_Parameters.alignment", "LineAlignment"),
    ("TrailRenderer", "m_Parameters.textureMode", "LineTextureMode"),
    ("NavMeshAgent", "m_ObstacleAvoidanceType", "ObstacleAvoidanceType"),
    ("NavMeshObstacle", "m_Shape", "NavMeshObstacleShape"),
    ("ParticleSystem", "moveWithTransform", "ParticleSystemSimulationSpace"),
    ("ParticleSystem", "scalingMode", "ParticleSystemScalingMode"),
    ("ParticleSystem", "stopAction", "ParticleSystemStopAction"),
    ("ParticleSystem", "ShapeModule.type", "ParticleSystemShapeType"),
    ("ParticleSystemRenderer", "m_RenderMode", "ParticleSystemRenderMode"),
    ("PlayableDirector", "m_WrapMode", "DirectorWrapMode"),
    ("PlayableDirector", "m_DirectorUpdateMode", "DirectorUpdateMode"),
    ("ReflectionProbe", "m_Mode", "ReflectionProbeMode"),
    ("ReflectionProbe", "m_RefreshMode", "ReflectionProbeRefreshMode"),
    ("ReflectionProbe", "m_ClearFlags", "ReflectionProbeClearFlags"),
    ("Renderer", "m_CastShadows", "ShadowCastingMode"),
    ("Renderer", "m_MotionVectors", "MotionVectorGenerationMode"),
    ("Renderer", "m_LightProbeUsage", "LightProbeUsage"),
    ("Renderer", "m_ReflectionProbeUsage", "ReflectionProbeUsage"),
    ("Rigidbody", "m_Interpolate", "RigidbodyInterpolation"),
    ("Rigidbody", "m_Constraints", "RigidbodyConstraints"),
    ("Rigidbody", "m_CollisionDetection", "CollisionDetectionMode"),
    ("Rigidbody2D", "m_BodyType", "RigidbodyType2D"),
    ("Rigidbody2D", "m_Constraints", "RigidbodyConstraints2D"),
    ("SpriteRenderer", "m_DrawMode", "SpriteDrawMode"),
    ("TextMesh", "m_Anchor", "TextAnchor"),
    ("WindZone", "m_Mode", "WindZoneMode"),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_there_and_holds_a_known_enum() {
        for (class, path, name) in FIELDS {
            let owner = ClassId::find(class).unwrap_or_else(|| panic!("{class} is no class"));
            let mut derived = ClassId::all().filter(|class| class.is_a(owner));
            assert!(derived.any(|class| types::ever_had(class, path)), "{class} has no {path}");
            assert!(members(name).is_some_and(|members| members.len() > 1), "{name}");
        }
    }

    #[test]
    fn numbers_go_on_from_the_one_before() {
        let number = |name: &str, member: &str| {
            members(name)?.iter().find(|(known, _)| *known == member).map(|(_, number)| *number)
        };
        assert_eq!(number("LightType", "Directional"), Some(1));
        assert_eq!(number("CameraClearFlags", "Depth"), Some(3));
        assert_eq!(number("KeyCode", "Mouse1"), Some(324));
        assert_eq!(number("RigidbodyConstraints", "FreezeRotation"), Some(112));
        assert_eq!(number("ForceMode", "Impulse"), Some(1));
        assert_eq!(number("Space", "Self"), Some(1));
    }
}
