/* @tag: D_ADDROF_VAR
 * @says: cannot take address of variable
 * @line: 5
 * & of D variable, aggregation or dynamic object */
BEGIN { x = 1; trace(&x); }
