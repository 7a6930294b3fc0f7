//! What is reckoned with three numbers.

pub(super) fn minus(one: [f64; 3], other: [f64; 3]) -> [f64; 3] {
    std::array::from_fn(|at| one[at] - other[at])
}

pub(super) fn scaled(vector: [f64; 3], by: f64) -> [f64; 3] {
    vector.map(|part| part * by)
}

pub(super) fn dot(one: [f64; 3], other: [f64; 3]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

pub(super) fn cross([a, b, c]: [f64; 3], [x, y, z]: [f64; 3]) -> [f64; 3] {
    [b * z - c * y, c * x - a * z, a * y - b * x]
}

pub(super) fn length(vector: [f64; 3]) -> f64 {
    dot(vector, vector).sqrt()
}

/// The same direction, one long; nothing stays nothing.
pub(super) fn unit(vector: [f64; 3]) -> [f64; 3] {
    let length = length(vector);
    if length == 0.0 { vector } else { scaled(vector, 1.0 / length) }
}
