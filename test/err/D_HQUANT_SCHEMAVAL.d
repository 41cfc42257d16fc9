/* @tag: D_HQUANT_SCHEMAVAL
 * @says: hquantize( ) argument #1 (schema) must be from 0 to 5
 * @line: 5
 * a schema of hquantize() outside 0 to 5 is an error */
BEGIN { @ = hquantize(1, 6); }
