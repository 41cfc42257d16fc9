/* @tag: D_MACRO_UNUSED
 * @says: extraneous argument 'b' ($2 is not referenced)
 * @line: 7
 * @args: a b
 * a macro argument that the program never uses is an error */
BEGIN { trace($$1); }
