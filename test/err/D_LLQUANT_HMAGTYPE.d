/* @tag: D_LLQUANT_HMAGTYPE
 * @says: llquantize( ) argument #3 must be an integer constant
 * @line: 5
 * hmag not INT */
BEGIN { @ = llquantize(1, 10, 0, pid, 10); }
