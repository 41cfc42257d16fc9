/* @tag: D_PRINTA_AGGPROTO
 * @says: printa( ): @b[ ] key #1 is incompatible with @a: | a: int | b: string
 * @line: 5
 * several aggregations, incompatible key types */
BEGIN { @a[1] = count(); @b["x"] = count(); printa(@a, @b); }
