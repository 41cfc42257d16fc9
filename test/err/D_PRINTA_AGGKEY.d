/* @tag: D_PRINTA_AGGKEY
 * several aggregations, different key counts */
BEGIN { @a[1] = count(); @b[1,2] = count(); printa(@a, @b); }
