/* @tag: D_OP_INCOMPAT
 * @says: operands have incompatible types: "int" = "string"
 * @line: 5
 * operands of incompatible types are an error */
BEGIN { x = 1; x = "one"; }
