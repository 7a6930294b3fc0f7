//! The methods that the engine calls by name.

use super::{Method, MethodKind, Modifier, UnityBase, set};

/// Whether the engine calls the method by its name on a type with this base. A base that is not
/// known is taken for a component.
pub fn is_message(method: &Method, base: &UnityBase) -> bool {
    let table = match base {
        UnityBase::MonoBehaviour | UnityBase::Unknown(_) => COMPONENT,
        UnityBase::ScriptableObject => ASSET,
        UnityBase::StateMachineBehaviour => STATE,
        UnityBase::Editor => EDITOR,
        UnityBase::EditorWindow => WINDOW,
        UnityBase::OtherObject | UnityBase::None => return false,
    };
    let instance =
        method.kind == MethodKind::Method && !method.about.modifiers.has(Modifier::Static);
    let is = |row: &&str| {
        let mut words = row.split(' ');
        if words.next() != Some(&method.name) {
            return false;
        }
        // The engine also calls the method when it leaves out the parameters.
        let types = method.parameters.iter().map(|p| set::path_and_arity(&p.ty).0);
        method.parameters.is_empty()
            || words.eq(types.map(|ty| ty.rsplit('.').next().unwrap_or_default().to_owned()))
    };
    instance && method.type_parameters.is_empty() && table.iter().any(is)
}

/// A name and the types of its parameters.
const COMPONENT: &[&str] = &[
    "Awake",
    "Start",
    "OnEnable",
    "OnDisable",
    "OnDestroy",
    "Update",
    "LateUpdate",
    "FixedUpdate",
    "Reset",
    "OnValidate",
    "OnGUI",
    "OnDrawGizmos",
    "OnDrawGizmosSelected",
    "OnCollisionEnter Collision",
    "OnCollisionStay Collision",
    "OnCollisionExit Collision",
    "OnTriggerEnter Collider",
    "OnTriggerStay Collider",
    "OnTriggerExit Collider",
    "OnCollisionEnter2D Collision2D",
    "OnCollisionStay2D Collision2D",
    "OnCollisionExit2D Collision2D",
    "OnTriggerEnter2D Collider2D",
    "OnTriggerStay2D Collider2D",
    "OnTriggerExit2D Collider2D",
    "OnControllerColliderHit ControllerColliderHit",
    "OnJointBreak float",
    "OnJointBreak2D Joint2D",
    "OnParticleCollision GameObject",
    "OnParticleSystemStopped",
    "OnParticleTrigger",
    "OnParticleUpdateJobScheduled ParticleSystemJobData",
    "OnMouseDown",
    "OnMouseUp",
    "OnMouseUpAsButton",
    "OnMouseDrag",
    "OnMouseEnter",
    "OnMouseExit",
    "OnMouseOver",
    "OnAnimatorIK int",
    "OnAnimatorMove",
    "OnApplicationFocus bool",
    "OnApplicationPause bool",
    "OnApplicationQuit",
    "OnAudioFilterRead float[] int",
    "OnBecameVisible",
    "OnBecameInvisible",
    "OnBeforeTransformParentChanged",
    "OnTransformParentChanged",
    "OnTransformChildrenChanged",
    "OnRectTransformDimensionsChange",
    "OnRectTransformRemoved",
    "OnCanvasGroupChanged",
    "OnCanvasHierarchyChanged",
    "OnDidApplyAnimationProperties",
    "OnPreCull",
    "OnPreRender",
    "OnPostRender",
    "OnRenderObject",
    "OnRenderImage RenderTexture RenderTexture",
    "OnWillRenderObject",
    "OnLevelWasLoaded int",
    "OnConnectedToServer",
    "OnServerInitialized",
];

const ASSET: &[&str] = &["Awake", "OnEnable", "OnDisable", "OnDestroy", "OnValidate", "Reset"];

const STATE: &[&str] = &[
    "OnStateEnter Animator AnimatorStateInfo int",
    "OnStateUpdate Animator AnimatorStateInfo int",
    "OnStateExit Animator AnimatorStateInfo int",
    "OnStateMove Animator AnimatorStateInfo int",
    "OnStateIK Animator AnimatorStateInfo int",
    "OnStateMachineEnter Animator int",
    "OnStateMachineExit Animator int",
    "Awake",
    "OnEnable",
    "OnDisable",
    "OnDestroy",
];

const EDITOR: &[&str] = &[
    "OnInspectorGUI",
    "CreateInspectorGUI",
    "OnSceneGUI",
    "OnPreviewGUI Rect GUIStyle",
    "OnInteractivePreviewGUI Rect GUIStyle",
    "OnPreviewSettings",
    "HasPreviewGUI",
    "HasFrameBounds",
    "OnGetFrameBounds",
    "Awake",
    "OnEnable",
    "OnDisable",
    "OnDestroy",
    "OnValidate",
    "Reset",
];

const WINDOW: &[&str] = &[
    "OnGUI",
    "CreateGUI",
    "Awake",
    "OnEnable",
    "OnDisable",
    "OnDestroy",
    "OnFocus",
    "OnLostFocus",
    "OnHierarchyChange",
    "OnInspectorUpdate",
    "OnProjectChange",
    "OnSelectionChange",
    "OnValidate",
    "Update",
    "ModifierKeysChanged",
    "ShowButton Rect",
    "OnBecameVisible",
    "OnBecameInvisible",
];
