/* @tag: D_HQUANT_SCHEMAVAL
 * @says: hquantize( ) argument #1 (schema) must be from 0 to 5
 * @line: 5
 * there are schemas 0 to 5 */
BEGIN { @ = hquantize(1, 6); }
