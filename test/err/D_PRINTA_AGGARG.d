/* @tag: D_PRINTA_AGGARG
 * @says: printa( ) argument #1 is incompatible with prototype: | prototype: aggregation | argument: int
 * @line: 5
 * argument not an aggregation */
BEGIN { printa(5); }
