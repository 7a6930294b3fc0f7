//! What events can call of the classes of the engine and of its user interface, where no source tells.

use crate::edit::scene::Method;

/// `=` begins a class of which all is here that an event can call, in any version; `~` one of which a
/// part is. Then what it declares: a name, and the type that it takes; a name without a type takes
/// nothing. Of each name all forms are here that an event can call.
const TABLE: &str = "\
= UnityEngine.Object
set_name string
set_hideFlags UnityEngine.HideFlags
Destroy UnityEngine.Object
DestroyImmediate UnityEngine.Object
DestroyObject UnityEngine.Object
DontDestroyOnLoad UnityEngine.Object
= UnityEngine.GameObject
SetActive bool
SetActiveRecursively bool
set_active bool
set_isStatic bool
set_layer int
set_tag string
SendMessage string
SendMessageUpwards string
BroadcastMessage string
PlayAnimation UnityEngine.Object
StopAnimation
= UnityEngine.Component
set_active bool
set_tag string
SendMessage string
SendMessageUpwards string
BroadcastMessage string
= UnityEngine.Behaviour
set_enabled bool
= UnityEngine.MonoBehaviour
CancelInvoke
CancelInvoke string
StopAllCoroutines
StopCoroutine string
StopCoroutine UnityEngine.Coroutine
set_runInEditMode bool
set_useGUILayout bool
= UnityEngine.Transform
SetParent UnityEngine.Transform
set_parent UnityEngine.Transform
DetachChildren
SetAsFirstSibling
SetAsLastSibling
SetSiblingIndex int
LookAt UnityEngine.Transform
LookAt UnityEngine.Vector3
Translate UnityEngine.Vector3
Rotate UnityEngine.Vector3
set_hasChanged bool
set_hierarchyCapacity int
set_position UnityEngine.Vector3
set_localPosition UnityEngine.Vector3
set_eulerAngles UnityEngine.Vector3
set_localEulerAngles UnityEngine.Vector3
set_localScale UnityEngine.Vector3
set_forward UnityEngine.Vector3
set_right UnityEngine.Vector3
set_up UnityEngine.Vector3
set_rotation UnityEngine.Quaternion
set_localRotation UnityEngine.Quaternion
= UnityEngine.Light
Reset
SetLightDirty
RemoveAllCommandBuffers
RemoveCommandBuffers UnityEngine.Rendering.LightEvent
set_alreadyLightmapped bool
set_areaSize UnityEngine.Vector2
set_attenuate bool
set_bakedIndex int
set_bakingOutput UnityEngine.LightBakingOutput
set_bounceIntensity float
set_boundingSphereOverride UnityEngine.Vector4
set_color UnityEngine.Color
set_colorTemperature float
set_cookie UnityEngine.Texture
set_cookieSize float
set_cookieSize2D UnityEngine.Vector2
set_cullingMask int
set_enableSpotReflector bool
set_flare UnityEngine.Flare
set_forceVisible bool
set_innerSpotAngle float
set_intensity float
set_layerShadowCullDistances float[]
set_lightShadowCasterMode UnityEngine.LightShadowCasterMode
set_lightUnit UnityEngine.Rendering.LightUnit
set_lightmapBakeType UnityEngine.LightmapBakeType
set_lightmappingMode UnityEngine.LightmappingMode
set_luxAtDistance float
set_range float
set_renderMode UnityEngine.LightRenderMode
set_renderingLayerMask int
set_shadowAngle float
set_shadowBias float
set_shadowConstantBias float
set_shadowCustomResolution int
set_shadowMatrixOverride UnityEngine.Matrix4x4
set_shadowNearPlane float
set_shadowNormalBias float
set_shadowObjectSizeBias float
set_shadowRadius float
set_shadowResolution UnityEngine.Rendering.LightShadowResolution
set_shadowSoftness float
set_shadowSoftnessFade float
set_shadowStrength float
set_shadows UnityEngine.LightShadows
set_shape UnityEngine.LightShape
set_shapeRadius float
set_spotAngle float
set_type UnityEngine.LightType
set_useBoundingSphereOverride bool
set_useColorTemperature bool
set_useShadowMatrixOverride bool
set_useViewFrustumForShadowCasterCull bool
~ UnityEngine.Renderer
set_renderingLayerMask uint
set_material UnityEngine.Material
set_sharedMaterial UnityEngine.Material
set_sortingLayerName string
~ UnityEngine.Canvas
set_scaleFactor float
set_referencePixelsPerUnit float
set_planeDistance float
~ UnityEngine.Collider
set_contactOffset float
~ UnityEngine.Rigidbody
SetDensity float
set_maxDepenetrationVelocity float
Sleep
WakeUp
set_detectCollisions bool
set_freezeRotation bool
set_maxAngularVelocity float
~ UnityEngine.Animator
SetTrigger string
SetTrigger int
ResetTrigger string
ResetTrigger int
Play string
Play int
PlayInFixedTime string
PlayInFixedTime int
StartPlayback
StopPlayback
StartRecording int
StopRecording
Rebind
Update float
set_speed float
set_playbackTime float
set_fireEvents bool
~ UnityEngine.Animation
Stop
Stop string
Rewind
Rewind string
Sample
~ UnityEngine.AudioSource
Play
Play ulong
PlayDelayed float
PlayOneShot UnityEngine.AudioClip
Stop
Pause
UnPause
set_time float
set_timeSamples int
set_panStereo float
set_spatialBlend float
set_reverbZoneMix float
set_dopplerLevel float
set_spread float
set_bypassEffects bool
set_bypassListenerEffects bool
set_bypassReverbZones bool
set_ignoreListenerPause bool
set_ignoreListenerVolume bool
~ UnityEngine.ParticleSystem
Play
Play bool
Pause
Pause bool
Stop
Stop bool
Clear
Clear bool
Emit int
set_time float
~ UnityEngine.Video.VideoPlayer
Play
Pause
Stop
Prepare
StepForward
set_clip UnityEngine.Video.VideoClip
set_isLooping bool
set_playbackSpeed float
set_url string
~ UnityEngine.Playables.PlayableDirector
Pause
Stop
Resume
Evaluate
RebuildGraph
~ UnityEngine.EventSystems.EventSystem
SetSelectedGameObject UnityEngine.GameObject
~ UnityEngine.UI.Image
SetNativeSize
set_material UnityEngine.Material
set_overrideSprite UnityEngine.Sprite
set_fillCenter bool
set_fillClockwise bool
set_fillOrigin int
~ UnityEngine.UI.RawImage
SetNativeSize
~ UnityEngine.UI.Graphic
SetAllDirty
~ UnityEngine.UI.Selectable
Select
~ UnityEngine.UI.Slider
SetValueWithoutNotify float
set_normalizedValue float
~ UnityEngine.UI.Scrollbar
SetValueWithoutNotify float
~ UnityEngine.UI.ScrollRect
set_horizontalNormalizedPosition float
set_verticalNormalizedPosition float
~ UnityEngine.UI.InputField
ActivateInputField
DeactivateInputField
ForceLabelUpdate
MoveTextEnd bool
MoveTextStart bool
set_characterLimit int
~ UnityEngine.UI.Dropdown
Show
Hide
RefreshShownValue
set_value int
~ TMPro.TMP_Text
set_alpha float
set_text string
set_fontSize float
set_maxVisibleCharacters int
~ TMPro.TMP_InputField
ActivateInputField
set_text string
";

/// What is known of one class.
#[derive(Default)]
pub(super) struct Engine {
    /// Whether it is all that an event can call.
    pub(super) is_whole: bool,
    pub(super) methods: Vec<Method>,
}

/// What a class of the engine declares itself.
pub(super) fn declared(class: &str) -> Engine {
    let mut lines = TABLE.lines();
    let Some(head) = lines.find(|line| line.get(2..) == Some(class) && is_head(line)) else {
        return Engine::default();
    };
    let methods = lines.take_while(|line| !is_head(line)).map(|line| {
        let mut words = line.split(' ').map(str::to_owned);
        let name = words.next().unwrap_or_default();
        Method { name, takes: words.collect(), of: class.to_owned() }
    });
    Engine { is_whole: head.starts_with('='), methods: methods.collect() }
}

fn is_head(line: &str) -> bool {
    line.starts_with(['=', '~'])
}

/// The assembly of a class that no script of the project declares, as calls note it.
pub(super) fn assembly(full: &str) -> &'static str {
    match full {
        _ if full.starts_with("UnityEngine.UI.") => "UnityEngine.UI",
        _ if full.starts_with("UnityEngine.EventSystems.") => "UnityEngine.UI",
        _ if full.starts_with("TMPro.") => "Unity.TextMeshPro",
        _ => "UnityEngine",
    }
}
