/* @tag: D_PRINTA_AGGKEY
 * @says: printa( ): @b and @a do not have matching key signatures: @b has 2 keys, @a has 1 key
 * @line: 5
 * printa() of several aggregations with different numbers of keys is an error */
BEGIN { @a[1] = count(); @b[1,2] = count(); printa(@a, @b); }
