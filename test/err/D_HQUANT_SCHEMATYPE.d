/* @tag: D_HQUANT_SCHEMATYPE
 * @says: hquantize( ) argument #1 must be an integer constant
 * @line: 5
 * the schema is no constant */
BEGIN { @ = hquantize(1, pid); }
