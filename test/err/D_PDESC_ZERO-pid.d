/* @tag: D_PDESC_ZERO
 * @says: probe description pid99999999999:::entry does not match any probes
 * @line: 5
 * no process can have this number */
pid99999999999:::entry { }
