//! Tests of `zugwerk eval`.

use crate::calls::printed;

#[test]
fn eval_draws_the_position() {
    assert!(printed(&["eval"]).contains("Total for White"));
    let text = printed(&["eval", "--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"]);
    assert_eq!(text.matches(" Q ").count(), 2, "{text}");
}
