//! Several meshes as one: each moved to where it stands, with one part for each material.

use super::channel::{Format, Usage};
use super::shape::{Attribute, Part, Shape};
use super::vector::{cross, minus, unit};
use crate::pose::Matrix;

/// A mesh somewhere.
pub struct Piece<'m, K> {
    /// The mesh.
    pub shape: &'m Shape,
    /// Where it stands.
    pub place: Matrix,
    /// What each part is drawn with; a part without is left out.
    pub materials: Vec<K>,
}

/// One mesh of all pieces, and what each of its parts is drawn with. Parts of one material become one,
/// in the order in which materials come.
pub fn combine<K: PartialEq + Clone>(pieces: &[Piece<'_, K>]) -> (Shape, Vec<K>) {
    let mut parts: Vec<(K, Part)> = Vec::new();
    let mut first = 0;
    for piece in pieces {
        let is_mirrored = piece.place.determinant() < 0.0;
        for (part, material) in piece.shape.parts.iter().zip(&piece.materials) {
            let corners = turned(part, is_mirrored).into_iter().map(|corner| corner + first);
            let known = parts
                .iter_mut()
                .find(|(known, own)| known == material && own.topology == part.topology);
            match known {
                Some((_, own)) => own.corners.extend(corners),
                None => parts.push((material.clone(), Part::new(part.topology, corners.collect()))),
            }
        }
        first += piece.shape.count as u32;
    }
    let mut usages: Vec<Usage> = pieces
        .iter()
        .flat_map(|piece| piece.shape.attributes.iter().map(|own| own.usage))
        .collect();
    usages.sort_unstable();
    usages.dedup();
    usages.retain(|usage| !usage.is_skin());
    let attributes = usages.into_iter().map(|usage| joined(pieces, usage)).collect();
    let (materials, parts): (Vec<K>, Vec<Part>) = parts.into_iter().unzip();
    let whole = Shape::new(first as usize, attributes, Vec::new());
    // A vertex of a part that is left out goes, too.
    (whole.with_parts(parts), materials)
}

/// The corners of a part, the other way round where it is mirrored.
fn turned(part: &Part, is_mirrored: bool) -> Vec<u32> {
    let mut corners = part.corners.clone();
    let sides = match part.topology {
        0 => 3,
        2 => 4,
        // Lines and points have no sides.
        _ => return corners,
    };
    if is_mirrored {
        corners.chunks_exact_mut(sides).for_each(|one| one[1..].reverse());
    }
    corners
}

/// What all vertices have for one purpose.
fn joined<K>(pieces: &[Piece<'_, K>], usage: Usage) -> Attribute {
    match usage {
        Usage::POSITION => moved(pieces, usage, |place, point| place.point(point)),
        Usage::NORMAL => {
            let rows = pieces.iter().flat_map(|piece| match piece.shape.attribute(usage) {
                Some(own) => {
                    let turn = |at| unit(piece.place.normal(own.of_vertex(at)));
                    (0..piece.shape.count).map(turn).collect()
                }
                None => normals(piece),
            });
            Attribute::floats(
                usage,
                &rows.map(|row| row.map(|part| part as f32)).collect::<Vec<_>>(),
            )
        }
        Usage::TANGENT => tangents(pieces),
        _ => copied(pieces, usage),
    }
}

fn moved<K>(
    pieces: &[Piece<'_, K>],
    usage: Usage,
    moves: impl Fn(&Matrix, [f64; 3]) -> [f64; 3],
) -> Attribute {
    let mut rows = Vec::new();
    for piece in pieces {
        let own = piece.shape.attribute(usage);
        rows.extend((0..piece.shape.count).map(|at| {
            let point = own.map_or([0.0; 3], |own| own.of_vertex(at));
            moves(&piece.place, point).map(|part| part as f32)
        }));
    }
    Attribute::floats(usage, &rows)
}

fn tangents<K>(pieces: &[Piece<'_, K>]) -> Attribute {
    let mut rows = Vec::new();
    for piece in pieces {
        let own = piece.shape.attribute(Usage::TANGENT);
        let side = if piece.place.determinant() < 0.0 { -1.0 } else { 1.0 };
        rows.extend((0..piece.shape.count).map(|at| {
            let [x, y, z, w] = own.map_or([1.0, 0.0, 0.0, 1.0], |own| own.of_vertex(at));
            let [x, y, z] = unit(piece.place.direction([x, y, z])).map(|part| part as f32);
            [x, y, z, (w * side) as f32]
        }));
    }
    Attribute::floats(Usage::TANGENT, &rows)
}

/// As it is where all have it in one form, otherwise as floats.
fn copied<K>(pieces: &[Piece<'_, K>], usage: Usage) -> Attribute {
    let own: Vec<Option<&Attribute>> =
        pieces.iter().map(|piece| piece.shape.attribute(usage)).collect();
    let first = own.iter().flatten().next();
    let form = |one: &Attribute| (one.format, one.dimension);
    let is_one_form = own.iter().all(|one| one.map(form) == first.map(|first| form(first)));
    if let (true, Some(first)) = (is_one_form, first) {
        let data = own.iter().flatten().flat_map(|one| one.data.iter().copied()).collect();
        return Attribute { stream: 0, data, ..(*first).clone() };
    }
    let dimension = own.iter().flatten().map(|one| one.dimension).max().unwrap_or(0);
    // What has no colour is white.
    let missing = if usage == Usage::COLOR { [1.0; 4] } else { [0.0; 4] };
    let mut rows: Vec<[f32; 4]> = Vec::new();
    for (piece, own) in pieces.iter().zip(own) {
        let row = |at| own.map_or(missing, |own| own.of_vertex::<4>(at)).map(|part| part as f32);
        rows.extend((0..piece.shape.count).map(row));
    }
    let data = rows.iter().flat_map(|row| &row[..dimension.min(4)]);
    let data = data.flat_map(|part| part.to_le_bytes()).collect();
    Attribute {
        format: Format::Float,
        dimension: dimension.min(4),
        data,
        ..Attribute::floats::<4>(usage, &[])
    }
}

/// Normals of a mesh that has none: those of the triangles around each vertex, the larger the more.
fn normals<K>(piece: &Piece<'_, K>) -> Vec<[f64; 3]> {
    let points: Vec<[f64; 3]> =
        piece.shape.points().iter().map(|point| piece.place.point(point.map(f64::from))).collect();
    let is_mirrored = piece.place.determinant() < 0.0;
    let mut sums = vec![[0.0; 3]; points.len()];
    for part in piece.shape.parts.iter().filter(|part| part.topology == 0) {
        for three in turned(part, is_mirrored).as_chunks::<3>().0 {
            let [a, b, c] = three.map(|corner| points[corner as usize]);
            let (one, other) = (minus(b, a), minus(c, a));
            let normal = cross(one, other);
            for corner in three {
                let sum = &mut sums[*corner as usize];
                *sum = std::array::from_fn(|at| sum[at] + normal[at]);
            }
        }
    }
    sums.into_iter().map(unit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pose::{Pose, from_euler};

    fn triangle() -> Shape {
        let points = [[0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [1.0, 0.0, 0.0]];
        let attributes = vec![
            Attribute::floats(Usage::POSITION, &points),
            Attribute::floats(Usage::NORMAL, &[[0.0, 0.0, -1.0]; 3]),
            Attribute::floats(Usage::TANGENT, &[[1.0, 0.0, 0.0, -1.0]; 3]),
        ];
        Shape::new(3, attributes, vec![Part::new(0, vec![0, 1, 2])])
    }

    fn rows<const N: usize>(shape: &Shape, usage: Usage) -> Vec<[f64; N]> {
        let own = shape.attribute(usage).unwrap();
        let short = |part: f64| (part * 1e4).round() / 1e4 + 0.0;
        (0..shape.count).map(|at| own.of_vertex(at).map(short)).collect()
    }

    fn at(position: [f64; 3], angles: [f64; 3], scale: [f64; 3]) -> Matrix {
        Matrix::of(&Pose { position, rotation: from_euler(angles), scale })
    }

    #[test]
    fn pieces_stand_where_they_stood() {
        let shape = triangle();
        let pieces = [
            Piece { shape: &shape, place: Matrix::default(), materials: vec!["stone"] },
            Piece {
                shape: &shape,
                place: at([5.0, 0.0, 0.0], [0.0, 90.0, 0.0], [2.0; 3]),
                materials: vec!["stone"],
            },
        ];
        let (whole, materials) = combine(&pieces);
        assert_eq!(materials, ["stone"]);
        assert_eq!(whole.parts, [Part::new(0, vec![0, 1, 2, 3, 4, 5])]);
        let points = rows::<3>(&whole, Usage::POSITION);
        assert_eq!(points[3..], [[5.0, 0.0, 0.0], [5.0, 2.0, 0.0], [5.0, 0.0, -2.0]]);
        assert_eq!(rows::<3>(&whole, Usage::NORMAL)[3..], [[-1.0, 0.0, 0.0]; 3]);
        assert_eq!(rows::<4>(&whole, Usage::TANGENT)[3..], [[0.0, 0.0, -1.0, -1.0]; 3]);
    }

    #[test]
    fn what_is_mirrored_keeps_its_outside() {
        let shape = triangle();
        let mirror = at([0.0; 3], [0.0; 3], [-1.0, 1.0, 1.0]);
        let (whole, _) = combine(&[Piece { shape: &shape, place: mirror, materials: vec![0] }]);
        assert_eq!(whole.parts[0].corners, [0, 2, 1]);
        assert_eq!(rows::<3>(&whole, Usage::NORMAL), [[0.0, 0.0, -1.0]; 3]);
        assert_eq!(rows::<4>(&whole, Usage::TANGENT), [[-1.0, 0.0, 0.0, 1.0]; 3]);
        // The side that the corners make is that of the normal.
        let bare = Shape::new(3, vec![whole.attributes[0].clone()], whole.parts.clone());
        let piece = Piece { shape: &bare, place: Matrix::default(), materials: vec![0] };
        assert_eq!(normals(&piece), [[0.0, 0.0, -1.0]; 3]);
    }

    #[test]
    fn uneven_sizes_turn_normals_as_surfaces_turn() {
        let half = std::f32::consts::FRAC_1_SQRT_2;
        let mut shape = triangle();
        shape.attributes[1] = Attribute::floats(Usage::NORMAL, &[[half, half, 0.0]; 3]);
        let wide = at([0.0; 3], [0.0; 3], [2.0, 1.0, 1.0]);
        let (whole, _) = combine(&[Piece { shape: &shape, place: wide, materials: vec![0] }]);
        assert_eq!(rows::<3>(&whole, Usage::NORMAL)[0], [0.4472, 0.8944, 0.0]);
    }

    #[test]
    fn parts_of_a_material_become_one_and_what_differs_is_filled_in() {
        let mut coloured = triangle();
        let colour = Attribute::floats(Usage::COLOR, &[[0.5, 0.0, 0.0, 1.0]; 3]);
        coloured.attributes.push(colour);
        coloured.parts.push(Part::new(0, vec![2, 1, 0]));
        let mut bare = triangle();
        bare.attributes.truncate(1);
        let place = Matrix::default();
        let pieces = [
            Piece { shape: &coloured, place, materials: vec!["a", "b"] },
            Piece { shape: &bare, place, materials: vec!["b"] },
        ];
        let (whole, materials) = combine(&pieces);
        assert_eq!(materials, ["a", "b"]);
        assert_eq!(whole.parts[1].corners, [2, 1, 0, 3, 4, 5]);
        assert_eq!(rows::<4>(&whole, Usage::COLOR)[2..4], [[0.5, 0.0, 0.0, 1.0], [1.0; 4]]);
        assert_eq!(rows::<3>(&whole, Usage::NORMAL)[3], [0.0, 0.0, -1.0]);
        // Without a material nothing is drawn, and nothing is left.
        let (whole, _) = combine(&[Piece { shape: &bare, place, materials: Vec::<u8>::new() }]);
        assert_eq!((whole.count, whole.parts.len()), (0, 0));
    }
}
