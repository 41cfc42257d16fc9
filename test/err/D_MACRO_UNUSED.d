/* @tag: D_MACRO_UNUSED
 * @says: extraneous argument 'b' ($2 is not referenced)
 * @line: 7
 * @args: a b
 * last operand never referenced */
BEGIN { trace($$1); }
