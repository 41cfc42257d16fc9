/* @tag: D_HQUANT_MATCHSCHEMA
 * @says: hquantize( ) schema (argument #1) doesn't match previous declaration: expected 3, found 4
 * @line: 5
 * hquantize() of one aggregation with two schemas is an error */
BEGIN { @a = hquantize(1, 3); @a = hquantize(1, 4); }
