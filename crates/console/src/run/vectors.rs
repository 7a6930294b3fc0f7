//! Vectors, rotations and colours.

use scenewright_world::math::{Color, Quat, Vec2, Vec3, Vec4};

use super::{Ran, Run};
use crate::ty::Ty;
use crate::value::Val;

/// A new value; nothing when the type is none of these.
pub(super) fn make(ty: &Ty, args: &[Val]) -> Option<Val> {
    let n: Vec<f32> = args.iter().map(|arg| arg.as_f64().unwrap_or(0.0) as f32).collect();
    let at = |index: usize| n.get(index).copied().unwrap_or(0.0);
    Some(match &*ty.name {
        "UnityEngine.Vector2" => Val::Vec2(Vec2::new(at(0), at(1))),
        "UnityEngine.Vector3" => Val::Vec3(Vec3::new(at(0), at(1), at(2))),
        "UnityEngine.Vector4" => Val::Vec4(Vec4 { x: at(0), y: at(1), z: at(2), w: at(3) }),
        "UnityEngine.Quaternion" => Val::Quat(Quat { x: at(0), y: at(1), z: at(2), w: at(3) }),
        "UnityEngine.Color" => {
            let a = if n.len() == 3 { 1.0 } else { at(3) };
            Val::Color(Color { r: at(0), g: at(1), b: at(2), a })
        }
        _ => return None,
    })
}

/// Which number a name means.
pub(super) fn part_index(of: &Val, name: &str) -> Option<usize> {
    let names =
        if matches!(of, Val::Color(_)) { ["r", "g", "b", "a"] } else { ["x", "y", "z", "w"] };
    names.iter().position(|part| *part == name)
}

pub(super) fn operate(operator: &str, left: &Val, right: &Val) -> Option<Val> {
    if let (Val::Quat(a), "*") = (left, operator) {
        return match right {
            Val::Quat(b) => Some(Val::Quat(*a * *b)),
            Val::Vec3(v) => Some(Val::Vec3(a.rotate(*v))),
            _ => None,
        };
    }
    let scaled = |of: &Val, by: f64| {
        let by = by as f32;
        let reals = of.reals()?;
        let each = |real: &f32| if operator == "/" { real / by } else { real * by };
        Some(of.with_reals(&reals.iter().map(each).collect::<Vec<_>>()))
    };
    match (operator, left.as_f64(), right.as_f64()) {
        ("*" | "/", None, Some(by)) => return scaled(left, by),
        ("*", Some(by), None) => return scaled(right, by),
        _ => {}
    }
    let (a, b) = (left.reals()?, right.reals()?);
    if a.len() != b.len() {
        return None;
    }
    let each = |(a, b): (&f32, &f32)| {
        Some(match operator {
            "+" => a + b,
            "-" => a - b,
            "*" => a * b,
            "/" => a / b,
            _ => return None,
        })
    };
    Some(left.with_reals(&a.iter().zip(&b).map(each).collect::<Option<Vec<_>>>()?))
}

impl Run<'_, '_> {
    pub(super) fn get_vector(&mut self, of: &Val, name: &str) -> Ran<Val> {
        let reals = of.reals().unwrap_or_default();
        if let Some(real) = part_index(of, name).and_then(|index| reals.get(index)) {
            return Ok(Val::Float(*real));
        }
        Ok(match (name, of) {
            ("magnitude", _) => Val::Float(length(&reals)),
            ("sqrMagnitude", _) => Val::Float(dot(&reals, &reals)),
            ("normalized", Val::Quat(q)) => Val::Quat(q.normalized()),
            ("normalized", _) => normalized(of),
            ("eulerAngles", Val::Quat(q)) => Val::Vec3(q.to_euler()),
            ("grayscale", Val::Color(c)) => Val::Float(0.299 * c.r + 0.587 * c.g + 0.114 * c.b),
            _ => return self.missing("vector", name),
        })
    }

    pub(super) fn vector_constant(&mut self, owner: &str, name: &str) -> Ran<Val> {
        let zero = make(&Ty::of(owner), &[]).unwrap_or(Val::Null);
        let n: [f32; 4] = match (owner, name) {
            ("UnityEngine.Color", _) => match name {
                "red" => [1.0, 0.0, 0.0, 1.0],
                "green" => [0.0, 1.0, 0.0, 1.0],
                "blue" => [0.0, 0.0, 1.0, 1.0],
                "white" => [1.0; 4],
                "black" => [0.0, 0.0, 0.0, 1.0],
                "yellow" => [1.0, 0.921_568_63, 0.015_686_275, 1.0],
                "cyan" => [0.0, 1.0, 1.0, 1.0],
                "magenta" => [1.0, 0.0, 1.0, 1.0],
                "gray" | "grey" => [0.5, 0.5, 0.5, 1.0],
                "clear" => [0.0; 4],
                _ => return self.missing(owner, name),
            },
            (_, "zero") => [0.0; 4],
            (_, "one") => [1.0; 4],
            (_, "up") => [0.0, 1.0, 0.0, 0.0],
            (_, "down") => [0.0, -1.0, 0.0, 0.0],
            (_, "left") => [-1.0, 0.0, 0.0, 0.0],
            (_, "right") => [1.0, 0.0, 0.0, 0.0],
            (_, "forward") => [0.0, 0.0, 1.0, 0.0],
            (_, "back") => [0.0, 0.0, -1.0, 0.0],
            (_, "identity") => [0.0, 0.0, 0.0, 1.0],
            _ => return self.missing(owner, name),
        };
        Ok(zero.with_reals(&n))
    }

    pub(super) fn call_vector(&mut self, owner: &str, name: &str, args: &[Val]) -> Ran<Val> {
        if owner == "UnityEngine.Quaternion"
            && let Some(given) = rotation(name, args)
        {
            return Ok(given);
        }
        match space(name, args).or_else(|| flat(name, args)) {
            Some(given) => Ok(given),
            None => self.missing(owner, name),
        }
    }
}

fn rotation(name: &str, args: &[Val]) -> Option<Val> {
    let real = |index: usize| args.get(index).and_then(Val::as_f64).map(|real| real as f32);
    Some(match (name, args) {
        ("Euler", [Val::Vec3(v)]) => Val::Quat(Quat::from_euler(*v)),
        ("Euler", [_, _, _]) => {
            Val::Quat(Quat::from_euler(Vec3::new(real(0)?, real(1)?, real(2)?)))
        }
        ("AngleAxis", [_, Val::Vec3(axis)]) => Val::Quat(Quat::about(axis.normalized(), real(0)?)),
        ("LookRotation", [Val::Vec3(forward)]) => Val::Quat(Quat::looking(*forward, Vec3::UP)),
        ("LookRotation", [Val::Vec3(forward), Val::Vec3(up)]) => {
            Val::Quat(Quat::looking(*forward, *up))
        }
        ("FromToRotation", [Val::Vec3(from), Val::Vec3(to)]) => {
            Val::Quat(Quat::between(*from, *to))
        }
        ("Inverse", [Val::Quat(q)]) => Val::Quat(q.inverse()),
        ("Angle", [Val::Quat(a), Val::Quat(b)]) => {
            let cos = quat_dot(*a, *b).abs().min(1.0);
            Val::Float(if cos > 1.0 - 1e-6 { 0.0 } else { 2.0 * cos.acos().to_degrees() })
        }
        ("Dot", [Val::Quat(a), Val::Quat(b)]) => Val::Float(quat_dot(*a, *b)),
        ("Lerp" | "Slerp", [Val::Quat(a), Val::Quat(b), _]) => {
            Val::Quat(between(*a, *b, real(2)?.clamp(0.0, 1.0), name == "Slerp"))
        }
        _ => return None,
    })
}

fn quat_dot(a: Quat, b: Quat) -> f32 {
    a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w
}

fn between(a: Quat, b: Quat, t: f32, on_sphere: bool) -> Quat {
    let cos = quat_dot(a, b);
    let sign = if cos < 0.0 { -1.0 } else { 1.0 };
    let angle = cos.abs().min(1.0).acos();
    let (from, to) = match on_sphere && angle > 1e-4 {
        true => (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin() * sign),
        false => (1.0 - t, t * sign),
    };
    Quat {
        x: a.x * from + b.x * to,
        y: a.y * from + b.y * to,
        z: a.z * from + b.z * to,
        w: a.w * from + b.w * to,
    }
    .normalized()
}

/// Functions of directions in space.
fn space(name: &str, args: &[Val]) -> Option<Val> {
    Some(match (name, args) {
        ("Cross", [Val::Vec3(a), Val::Vec3(b)]) => Val::Vec3(a.cross(*b)),
        ("Project", [Val::Vec3(v), Val::Vec3(on)]) => {
            let square = on.dot(*on);
            Val::Vec3(if square < f32::EPSILON { Vec3::ZERO } else { *on * (v.dot(*on) / square) })
        }
        ("Reflect", [Val::Vec3(v), Val::Vec3(normal)]) => {
            Val::Vec3(*v - *normal * (2.0 * v.dot(*normal)))
        }
        _ => return None,
    })
}

/// Functions that work number by number.
fn flat(name: &str, args: &[Val]) -> Option<Val> {
    let of = args.first()?;
    let a = of.reals()?;
    if name == "Normalize" {
        return Some(normalized(of));
    }
    let b = args.get(1)?.reals()?;
    let each = |work: &dyn Fn(f32, f32) -> f32| {
        of.with_reals(&a.iter().zip(&b).map(|(a, b)| work(*a, *b)).collect::<Vec<_>>())
    };
    let apart: Vec<f32> = a.iter().zip(&b).map(|(a, b)| b - a).collect();
    let t = args.get(2).and_then(Val::as_f64).unwrap_or(0.0) as f32;
    Some(match name {
        "Distance" => Val::Float(length(&apart)),
        "Dot" => Val::Float(dot(&a, &b)),
        "Angle" => {
            let lengths = (dot(&a, &a) * dot(&b, &b)).sqrt();
            let cos = (dot(&a, &b) / lengths).clamp(-1.0, 1.0);
            Val::Float(if lengths < 1e-15 { 0.0 } else { cos.acos().to_degrees() })
        }
        "Scale" => each(&|a, b| a * b),
        "Min" => each(&f32::min),
        "Max" => each(&f32::max),
        "Lerp" => {
            let t = t.clamp(0.0, 1.0);
            each(&|a, b| a + (b - a) * t)
        }
        "LerpUnclamped" => each(&|a, b| a + (b - a) * t),
        "MoveTowards" => {
            let far = length(&apart);
            if far <= t || far == 0.0 {
                args.get(1)?.clone()
            } else {
                each(&|a, b| a + (b - a) / far * t)
            }
        }
        _ => return None,
    })
}

fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum()
}

fn length(a: &[f32]) -> f32 {
    dot(a, a).sqrt()
}

fn normalized(of: &Val) -> Val {
    let reals = of.reals().unwrap_or_default();
    let far = length(&reals);
    let each = |real: &f32| if far > 1e-5 { real / far } else { 0.0 };
    of.with_reals(&reals.iter().map(each).collect::<Vec<_>>())
}
