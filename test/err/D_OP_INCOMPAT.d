/* @tag: D_OP_INCOMPAT
 * incompatible operand types */
BEGIN { x = 1; x = "one"; }
