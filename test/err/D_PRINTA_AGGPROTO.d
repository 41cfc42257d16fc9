/* @tag: D_PRINTA_AGGPROTO
 * @says: printa( ): @b[ ] key #1 is incompatible with @a: | a: int | b: string
 * @line: 5
 * printa() of several aggregations with incompatible key types is an error */
BEGIN { @a[1] = count(); @b["x"] = count(); printa(@a, @b); }
