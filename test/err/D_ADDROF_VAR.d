/* @tag: D_ADDROF_VAR
 * & of D variable, aggregation or dynamic object */
BEGIN { x = 1; trace(&x); }
