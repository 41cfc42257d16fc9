/* @tag: D_PRINTA_AGGARG
 * argument not an aggregation */
BEGIN { printa(5); }
