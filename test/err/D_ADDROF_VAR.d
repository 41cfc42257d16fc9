/* @tag: D_ADDROF_VAR
 * @says: cannot take address of variable
 * @line: 5
 * the address of a D variable, aggregation or dynamic object is an error */
BEGIN { x = 1; trace(&x); }
