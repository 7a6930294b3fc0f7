//! Values that code has by name, and no source of the project says.

use super::initial::Initial;

/// Values that the engine and the language have by name.
pub(super) fn known(name: &str) -> Option<Initial> {
    let name = name.strip_prefix("UnityEngine.").or(name.strip_prefix("System.")).unwrap_or(name);
    let (owner, member) = name.split_once('.').unwrap_or((name, ""));
    let mut parts = match owner {
        "Vector2" | "Vector3" | "Vector4" | "Vector2Int" | "Vector3Int" => direction(member),
        "Color" => color(member),
        "Quaternion" if member == "identity" => Some(vec![0.0, 0.0, 0.0, 1.0]),
        "Rect" if member == "zero" => Some(Vec::new()),
        _ => None,
    };
    let size = match owner {
        "Vector2" | "Vector2Int" => 2,
        "Vector3" | "Vector3Int" => 3,
        _ => 4,
    };
    parts.iter_mut().for_each(|parts| parts.resize(size, 0.0));
    let short = name.rsplit_once("UI.").map_or(name, |(_, short)| short);
    parts.map(Initial::Parts).or_else(|| limit(name)).or_else(|| of_interfaces(short))
}

/// What the classes of user interfaces have by name, where code makes it.
fn of_interfaces(name: &str) -> Option<Initial> {
    let int = Initial::Int;
    let grey = |level: f32, alpha: f32| {
        let level = f64::from(level / 255.0);
        Initial::Parts(vec![level, level, level, f64::from(alpha / 255.0)])
    };
    let members: Vec<(&str, Initial)> = match name {
        "Navigation.defaultNavigation" => vec![("m_Mode", int(3))],
        "ColorBlock.defaultColorBlock" => vec![
            ("m_NormalColor", grey(255.0, 255.0)),
            ("m_HighlightedColor", grey(245.0, 255.0)),
            ("m_PressedColor", grey(200.0, 255.0)),
            ("m_SelectedColor", grey(245.0, 255.0)),
            ("m_DisabledColor", grey(200.0, 128.0)),
            ("m_ColorMultiplier", int(1)),
            ("m_FadeDuration", Initial::Real(f64::from(0.1_f32), true)),
        ],
        "FontData.defaultFontData" => vec![
            ("m_FontSize", int(14)),
            ("m_MinSize", int(10)),
            ("m_MaxSize", int(40)),
            ("m_RichText", Initial::Bool(true)),
            ("m_LineSpacing", int(1)),
        ],
        _ => return None,
    };
    let named = members.into_iter().map(|(name, value)| (name.to_owned(), value));
    Some(Initial::Members(named.collect()))
}

fn direction(name: &str) -> Option<Vec<f64>> {
    Some(match name {
        "zero" => Vec::new(),
        "one" => vec![1.0; 4],
        "right" => vec![1.0],
        "left" => vec![-1.0],
        "up" => vec![0.0, 1.0],
        "down" => vec![0.0, -1.0],
        "forward" => vec![0.0, 0.0, 1.0],
        "back" => vec![0.0, 0.0, -1.0],
        "positiveInfinity" => vec![f64::INFINITY; 4],
        _ => return None,
    })
}

fn color(name: &str) -> Option<Vec<f64>> {
    let [red, green, blue] = match name {
        "clear" => return Some(Vec::new()),
        "white" => [1.0, 1.0, 1.0],
        "black" => [0.0, 0.0, 0.0],
        "red" => [1.0, 0.0, 0.0],
        "green" => [0.0, 1.0, 0.0],
        "blue" => [0.0, 0.0, 1.0],
        "cyan" => [0.0, 1.0, 1.0],
        "magenta" => [1.0, 0.0, 1.0],
        "gray" | "grey" => [0.5, 0.5, 0.5],
        // Unity's yellow is not the plain one.
        "yellow" => [1.0, 235.0 / 255.0, 4.0 / 255.0],
        _ => return None,
    };
    Some(vec![red, green, blue, 1.0])
}

fn limit(name: &str) -> Option<Initial> {
    let single = |value: f32| Some(Initial::Real(value.into(), true));
    match name {
        "float.MaxValue" | "Single.MaxValue" => single(f32::MAX),
        "float.MinValue" | "Single.MinValue" => single(f32::MIN),
        "float.PositiveInfinity" | "Mathf.Infinity" => single(f32::INFINITY),
        "float.NegativeInfinity" | "Mathf.NegativeInfinity" => single(f32::NEG_INFINITY),
        "float.NaN" => single(f32::NAN),
        "Mathf.PI" => single(std::f32::consts::PI),
        "Mathf.Deg2Rad" => single(0.017_453_292),
        "Mathf.Rad2Deg" => single(57.295_78),
        "double.MaxValue" => Some(Initial::Real(f64::MAX, false)),
        "double.PositiveInfinity" => Some(Initial::Real(f64::INFINITY, false)),
        "int.MaxValue" | "Int32.MaxValue" => Some(Initial::Int(i32::MAX.into())),
        "int.MinValue" | "Int32.MinValue" => Some(Initial::Int(i32::MIN.into())),
        "uint.MaxValue" => Some(Initial::Int(u32::MAX.into())),
        "byte.MaxValue" => Some(Initial::Int(u8::MAX.into())),
        "short.MaxValue" => Some(Initial::Int(i16::MAX.into())),
        "long.MaxValue" => Some(Initial::Int(i64::MAX)),
        "string.Empty" | "String.Empty" => Some(Initial::Text(String::new())),
        _ => None,
    }
}
