/* @tag: D_PDESC_ZERO
 * @says: probe description pid:::entry does not match any probes
 * @line: 5
 * pid without a number */
pid:::entry { }
