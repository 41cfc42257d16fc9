/* @tag: D_PDESC_ZERO
 * @says: probe description pid99999999999:::entry does not match any probes
 * @line: 5
 * a process number that cannot exist matches no probes */
pid99999999999:::entry { }
