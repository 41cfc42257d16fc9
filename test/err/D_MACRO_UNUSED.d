/* @tag: D_MACRO_UNUSED
 * @args: a b
 * last operand never referenced */
BEGIN { trace($$1); }
