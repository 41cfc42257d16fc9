/* @tag: D_ADDROF_VAR
 * @says: cannot take address of variable
 * @line: 5
 * taking the address of a D variable or aggregation is an error */
BEGIN { x = 1; trace(&x); }
