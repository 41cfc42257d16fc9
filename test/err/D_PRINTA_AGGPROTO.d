/* @tag: D_PRINTA_AGGPROTO
 * several aggregations, incompatible key types */
BEGIN { @a[1] = count(); @b["x"] = count(); printa(@a, @b); }
