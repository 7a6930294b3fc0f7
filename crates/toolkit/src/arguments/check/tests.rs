//! Numbers of every kind, in their order.

use serde_json::json;

use super::*;

#[test]
fn numbers_are_compared_exactly() {
    let all = [
        json!(-1e300),
        json!(i64::MIN),
        json!(-1.5),
        json!(-1),
        json!(0),
        json!(0.5),
        json!(9_007_199_254_740_992_u64),
        json!(9_007_199_254_740_993_u64),
        json!(i64::MAX),
        json!(9_223_372_036_854_775_808.0),
        json!(u64::MAX),
        json!(1e300),
    ];
    for (i, a) in all.iter().enumerate() {
        for (j, b) in all.iter().enumerate() {
            let compared = compare(a.as_number().unwrap(), b.as_number().unwrap());
            assert_eq!(compared, i.cmp(&j), "{a} and {b}");
        }
    }
    let zeros = [json!(0), json!(0.0), json!(-0.0)];
    for (a, b) in zeros.iter().zip(zeros.iter().rev()) {
        assert!(compare(a.as_number().unwrap(), b.as_number().unwrap()).is_eq());
    }
}
