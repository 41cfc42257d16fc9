/* @tag: D_PRINTA_AGGARG
 * @says: printa( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: int
 * @line: 5
 * a printa() argument that is no aggregation is an error */
BEGIN { printa(5); }
