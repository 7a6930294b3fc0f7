//! The shaders that come with Unity and its pipelines, with what all their versions declare.

use super::{Declared, NO_TEXTURE, SOURCE_ID, Shader, Switch};
use crate::edit::material::{PropertyKind, Setting};
use crate::{FileId, Guid, Reference};

/// A shader that comes with Unity or a pipeline.
#[derive(Debug)]
pub struct KnownShader {
    /// Its name.
    pub name: &'static str,
    /// The guid of its file in a package; none for one of the editor's own.
    guid: Option<&'static str>,
    /// Its id there.
    file_id: FileId,
    textures: &'static str,
    floats: &'static [(&'static str, f32)],
    colors: &'static [(&'static str, [f32; 4])],
    /// Textures that the shader reads only with a keyword.
    pub keywords: &'static [(&'static str, &'static str)],
    /// Keywords that are on while a number is 0.
    switches: &'static [(&'static str, &'static str)],
    /// It has an emission that a keyword turns on.
    pub emission: Option<&'static str>,
}

/// The resources of the editor that are not meshes or fonts.
const EXTRA: Guid = Guid([0, 0, 0, 0, 0, 0, 0, 0, 0xf0, 0, 0, 0, 0, 0, 0, 0]);

const WHITE: [f32; 4] = [1.0; 4];
const BLACK: [f32; 4] = [0.0, 0.0, 0.0, 1.0];
const GREY: [f32; 4] = [0.2, 0.2, 0.2, 1.0];

const STANDARD_FLOATS: [(&str, f32); 16] = [
    ("_BumpScale", 1.0),
    ("_Cutoff", 0.5),
    ("_DetailNormalMapScale", 1.0),
    ("_DstBlend", 0.0),
    ("_GlossMapScale", 1.0),
    ("_Glossiness", 0.5),
    ("_GlossyReflections", 1.0),
    ("_Metallic", 0.0),
    ("_Mode", 0.0),
    ("_OcclusionStrength", 1.0),
    ("_Parallax", 0.02),
    ("_SmoothnessTextureChannel", 0.0),
    ("_SpecularHighlights", 1.0),
    ("_SrcBlend", 1.0),
    ("_UVSec", 0.0),
    ("_ZWrite", 1.0),
];
const SPECULAR_FLOATS: [(&str, f32); 15] = {
    let mut rest = [("", 0.0); 15];
    let (mut from, mut to) = (0, 0);
    while from < STANDARD_FLOATS.len() {
        // All but `_Metallic`.
        if from != 7 {
            rest[to] = STANDARD_FLOATS[from];
            to += 1;
        }
        from += 1;
    }
    rest
};
const STANDARD_KEYWORDS: &[(&str, &str)] = &[
    ("_BumpMap", "_NORMALMAP"),
    ("_DetailNormalMap", "_NORMALMAP"),
    ("_MetallicGlossMap", "_METALLICGLOSSMAP"),
    ("_SpecGlossMap", "_SPECGLOSSMAP"),
    ("_ParallaxMap", "_PARALLAXMAP"),
    ("_DetailAlbedoMap", "_DETAIL_MULX2"),
    ("_DetailNormalMap", "_DETAIL_MULX2"),
];
const URP_KEYWORDS: &[(&str, &str)] = &[
    ("_BumpMap", "_NORMALMAP"),
    ("_MetallicGlossMap", "_METALLICSPECGLOSSMAP"),
    ("_OcclusionMap", "_OCCLUSIONMAP"),
    ("_ParallaxMap", "_PARALLAXMAP"),
];
const STANDARD_SWITCHES: &[(&str, &str)] = &[
    ("_GlossyReflections", "_GLOSSYREFLECTIONS_OFF"),
    ("_SpecularHighlights", "_SPECULARHIGHLIGHTS_OFF"),
];
const URP_SWITCHES: &[(&str, &str)] = &[
    ("_EnvironmentReflections", "_ENVIRONMENTREFLECTIONS_OFF"),
    ("_ReceiveShadows", "_RECEIVE_SHADOWS_OFF"),
    ("_SpecularHighlights", "_SPECULARHIGHLIGHTS_OFF"),
];
const URP_LIT_FLOATS: &[(&str, f32)] = &[
    ("_AlphaClip", 0.0),
    ("_Blend", 0.0),
    ("_BumpScale", 1.0),
    ("_ClearCoatMask", 0.0),
    ("_ClearCoatSmoothness", 0.0),
    ("_Cull", 2.0),
    ("_Cutoff", 0.5),
    ("_DetailAlbedoMapScale", 1.0),
    ("_DetailNormalMapScale", 1.0),
    ("_DstBlend", 0.0),
    ("_EnvironmentReflections", 1.0),
    ("_GlossMapScale", 0.0),
    ("_Glossiness", 0.0),
    ("_GlossyReflections", 0.0),
    ("_Metallic", 0.0),
    ("_OcclusionStrength", 1.0),
    ("_Parallax", 0.005),
    ("_QueueOffset", 0.0),
    ("_ReceiveShadows", 1.0),
    ("_Smoothness", 0.5),
    ("_SmoothnessTextureChannel", 0.0),
    ("_SpecularHighlights", 1.0),
    ("_SrcBlend", 1.0),
    ("_Surface", 0.0),
    ("_WorkflowMode", 1.0),
    ("_ZWrite", 1.0),
];
const URP_SIMPLE_FLOATS: &[(&str, f32)] = &[
    ("_AlphaClip", 0.0),
    ("_Blend", 0.0),
    ("_BumpScale", 1.0),
    ("_Cull", 2.0),
    ("_Cutoff", 0.5),
    ("_DstBlend", 0.0),
    ("_QueueOffset", 0.0),
    ("_ReceiveShadows", 1.0),
    ("_Smoothness", 0.5),
    ("_SmoothnessSource", 0.0),
    ("_SpecularHighlights", 1.0),
    ("_SrcBlend", 1.0),
    ("_Surface", 0.0),
    ("_ZWrite", 1.0),
];
const URP_UNLIT_FLOATS: &[(&str, f32)] = &[
    ("_AlphaClip", 0.0),
    ("_Blend", 0.0),
    ("_Cull", 2.0),
    ("_Cutoff", 0.5),
    ("_DstBlend", 0.0),
    ("_QueueOffset", 0.0),
    ("_SrcBlend", 1.0),
    ("_Surface", 0.0),
    ("_ZWrite", 1.0),
];
const HDRP_LIT_FLOATS: &[(&str, f32)] = &[
    ("_AlphaCutoff", 0.5),
    ("_AlphaCutoffEnable", 0.0),
    ("_AORemapMax", 1.0),
    ("_AORemapMin", 0.0),
    ("_BlendMode", 0.0),
    ("_CullMode", 2.0),
    ("_DoubleSidedEnable", 0.0),
    ("_EmissiveExposureWeight", 1.0),
    ("_EmissiveIntensity", 1.0),
    ("_MaterialID", 1.0),
    ("_Metallic", 0.0),
    ("_NormalScale", 1.0),
    ("_Smoothness", 0.5),
    ("_SmoothnessRemapMax", 1.0),
    ("_SmoothnessRemapMin", 0.0),
    ("_SurfaceType", 0.0),
    ("_UseEmissiveIntensity", 0.0),
    ("_ZWrite", 1.0),
];
const UI_FLOATS: &[(&str, f32)] = &[
    ("_ColorMask", 15.0),
    ("_Stencil", 0.0),
    ("_StencilComp", 8.0),
    ("_StencilOp", 0.0),
    ("_StencilReadMask", 255.0),
    ("_StencilWriteMask", 255.0),
    ("_UseUIAlphaClip", 0.0),
];

const PLAIN: KnownShader = KnownShader {
    name: "",
    guid: None,
    file_id: SOURCE_ID,
    textures: "_MainTex",
    floats: &[],
    colors: &[],
    keywords: &[],
    switches: &[],
    emission: None,
};

/// The shaders that are known without their source.
pub static KNOWN: &[KnownShader] = &[
    KnownShader {
        name: "Standard",
        file_id: FileId(46),
        textures: "_BumpMap _DetailAlbedoMap _DetailMask _DetailNormalMap _EmissionMap _MainTex _MetallicGlossMap _OcclusionMap _ParallaxMap",
        floats: &STANDARD_FLOATS,
        colors: &[("_Color", WHITE), ("_EmissionColor", BLACK)],
        keywords: STANDARD_KEYWORDS,
        switches: STANDARD_SWITCHES,
        emission: Some("_EmissionColor"),
        ..PLAIN
    },
    KnownShader {
        name: "Standard (Specular setup)",
        file_id: FileId(45),
        textures: "_BumpMap _DetailAlbedoMap _DetailMask _DetailNormalMap _EmissionMap _MainTex _OcclusionMap _ParallaxMap _SpecGlossMap",
        floats: &SPECULAR_FLOATS,
        colors: &[("_Color", WHITE), ("_EmissionColor", BLACK), ("_SpecColor", GREY)],
        keywords: STANDARD_KEYWORDS,
        switches: STANDARD_SWITCHES,
        emission: Some("_EmissionColor"),
        ..PLAIN
    },
    KnownShader {
        name: "Universal Render Pipeline/Lit",
        guid: Some("933532a4fcc9baf4fa0491de14d08ed7"),
        textures: "_BaseMap _BumpMap _DetailAlbedoMap _DetailMask _DetailNormalMap _EmissionMap _MainTex _MetallicGlossMap _OcclusionMap _ParallaxMap _SpecGlossMap unity_Lightmaps unity_LightmapsInd unity_ShadowMasks",
        floats: URP_LIT_FLOATS,
        colors: &[
            ("_BaseColor", WHITE),
            ("_Color", WHITE),
            ("_EmissionColor", BLACK),
            ("_SpecColor", GREY),
        ],
        keywords: URP_KEYWORDS,
        switches: URP_SWITCHES,
        emission: Some("_EmissionColor"),
        ..PLAIN
    },
    KnownShader {
        name: "Universal Render Pipeline/Simple Lit",
        guid: Some("8d2bb70cbf9db8d4da26e15b26e74248"),
        textures: "_BaseMap _BumpMap _EmissionMap _MainTex _SpecGlossMap unity_Lightmaps unity_LightmapsInd unity_ShadowMasks",
        floats: URP_SIMPLE_FLOATS,
        colors: &[
            ("_BaseColor", WHITE),
            ("_Color", WHITE),
            ("_EmissionColor", BLACK),
            ("_SpecColor", [0.5, 0.5, 0.5, 0.5]),
        ],
        keywords: URP_KEYWORDS,
        switches: URP_SWITCHES,
        emission: Some("_EmissionColor"),
        ..PLAIN
    },
    KnownShader {
        name: "Universal Render Pipeline/Unlit",
        guid: Some("650dd9526735d5b46b79224bc6e94025"),
        textures: "_BaseMap _MainTex unity_Lightmaps unity_LightmapsInd unity_ShadowMasks",
        floats: URP_UNLIT_FLOATS,
        colors: &[("_BaseColor", WHITE), ("_Color", WHITE)],
        ..PLAIN
    },
    KnownShader {
        name: "HDRP/Lit",
        guid: Some("6e4ae4064600d784cac1e41a9e6f2e59"),
        textures: "_BaseColorMap _BentNormalMap _DetailMap _EmissiveColorMap _HeightMap _MaskMap _NormalMap _SpecularColorMap",
        floats: HDRP_LIT_FLOATS,
        colors: &[("_BaseColor", WHITE), ("_EmissiveColor", BLACK), ("_SpecularColor", WHITE)],
        keywords: &[
            ("_NormalMap", "_NORMALMAP"),
            ("_MaskMap", "_MASKMAP"),
            ("_EmissiveColorMap", "_EMISSIVE_COLOR_MAP"),
        ],
        ..PLAIN
    },
    KnownShader {
        name: "HDRP/Unlit",
        guid: Some("c4edd00ff2db5b24391a4fcb1762e459"),
        textures: "_EmissiveColorMap _UnlitColorMap",
        floats: &[("_AlphaCutoff", 0.5), ("_AlphaCutoffEnable", 0.0), ("_SurfaceType", 0.0)],
        colors: &[("_EmissiveColor", BLACK), ("_UnlitColor", WHITE)],
        ..PLAIN
    },
    KnownShader {
        name: "Unlit/Color",
        file_id: FileId(10755),
        textures: "",
        colors: &[("_Color", WHITE)],
        ..PLAIN
    },
    KnownShader { name: "Unlit/Texture", file_id: FileId(10752), ..PLAIN },
    KnownShader { name: "Unlit/Transparent", file_id: FileId(10750), ..PLAIN },
    KnownShader {
        name: "Unlit/Transparent Cutout",
        file_id: FileId(10751),
        floats: &[("_Cutoff", 0.5)],
        ..PLAIN
    },
    KnownShader {
        name: "Sprites/Default",
        file_id: FileId(10753),
        textures: "_AlphaTex _MainTex",
        floats: &[("PixelSnap", 0.0), ("_EnableExternalAlpha", 0.0)],
        colors: &[("_Color", WHITE), ("_Flip", WHITE), ("_RendererColor", WHITE)],
        ..PLAIN
    },
    KnownShader {
        name: "UI/Default",
        file_id: FileId(10770),
        floats: UI_FLOATS,
        colors: &[("_Color", WHITE)],
        ..PLAIN
    },
    KnownShader {
        name: "Legacy Shaders/Diffuse",
        file_id: FileId(7),
        colors: &[("_Color", WHITE)],
        ..PLAIN
    },
    KnownShader { name: "Mobile/Diffuse", file_id: FileId(10703), ..PLAIN },
    KnownShader {
        name: "Legacy Shaders/Particles/Additive",
        file_id: FileId(200),
        floats: &[("_InvFade", 1.0)],
        colors: &[("_TintColor", [0.5, 0.5, 0.5, 0.5])],
        ..PLAIN
    },
    KnownShader {
        name: "Legacy Shaders/Particles/Alpha Blended",
        file_id: FileId(203),
        floats: &[("_InvFade", 1.0)],
        colors: &[("_TintColor", [0.5, 0.5, 0.5, 0.5])],
        ..PLAIN
    },
];

/// Short names that people use.
const ALIASES: [(&str, &str); 8] = [
    ("urp/lit", "Universal Render Pipeline/Lit"),
    ("urp lit", "Universal Render Pipeline/Lit"),
    ("urp/simple lit", "Universal Render Pipeline/Simple Lit"),
    ("urp/unlit", "Universal Render Pipeline/Unlit"),
    ("urp unlit", "Universal Render Pipeline/Unlit"),
    ("hdrp lit", "HDRP/Lit"),
    ("hdrp unlit", "HDRP/Unlit"),
    ("standard specular", "Standard (Specular setup)"),
];

/// The shader of a name, as Unity or people write it.
pub fn known(name: &str) -> Option<&'static KnownShader> {
    let lower = name.trim().to_ascii_lowercase();
    let name =
        ALIASES.iter().find(|(alias, _)| *alias == lower).map_or(name.trim(), |(_, name)| name);
    KNOWN.iter().find(|shader| shader.name.eq_ignore_ascii_case(name))
}

/// The shader that a material refers to, if it is one of these.
pub fn known_by_reference(reference: Reference) -> Option<&'static KnownShader> {
    KNOWN.iter().find(|shader| {
        let own = shader.reference();
        own.file_id == reference.file_id && own.guid == reference.guid
    })
}

impl KnownShader {
    /// How materials refer to it.
    pub fn reference(&self) -> Reference {
        match self.guid.and_then(Guid::parse) {
            Some(guid) => Reference { file_id: self.file_id, guid: Some(guid), kind: 3 },
            None => Reference { file_id: self.file_id, guid: Some(EXTRA), kind: 0 },
        }
    }

    /// What it declares.
    pub fn shader(&self) -> Shader {
        let declared = |name: &str, kind, default| Declared {
            name: name.to_owned(),
            kind,
            default,
            is_vector: false,
            switch: None,
        };
        let textures = self.textures.split_ascii_whitespace();
        let textures = textures.map(|name| declared(name, PropertyKind::Texture, NO_TEXTURE));
        let floats = self
            .floats
            .iter()
            .map(|(name, value)| declared(name, PropertyKind::Float, Setting::Float(*value)));
        let colors = self.colors.iter().map(|(name, parts)| {
            declared(name, PropertyKind::Color, Setting::Color(parts.map(Some)))
        });
        let mut shader = Shader {
            name: self.name.to_owned(),
            properties: textures.chain(floats).chain(colors).collect(),
        };
        self.add_switches(&mut shader);
        shader
    }

    /// Keywords that its editor turns on and off, for properties whose source does not say it.
    pub fn add_switches(&self, shader: &mut Shader) {
        for declared in shader.properties.iter_mut().filter(|own| own.switch.is_none()) {
            let found = self.switches.iter().find(|(name, _)| *name == declared.name);
            declared.switch = found.map(|(_, word)| Switch::Off((*word).to_owned()));
        }
    }
}
