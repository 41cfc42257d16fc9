/* @tag: D_PDESC_ZERO
 * @says: probe description pid:::entry does not match any probes
 * @line: 5
 * the pid provider without a process number matches no probes */
pid:::entry { }
