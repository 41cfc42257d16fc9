/* @tag: D_HQUANT_SCHEMATYPE
 * @says: hquantize( ) argument #1 must be an integer constant
 * @line: 5
 * a schema of hquantize() that is no constant is an error */
BEGIN { @ = hquantize(1, pid); }
