/* @tag: D_OP_INCOMPAT
 * @says: operands have incompatible types: "int" = "string"
 * @line: 5
 * incompatible operand types */
BEGIN { x = 1; x = "one"; }
