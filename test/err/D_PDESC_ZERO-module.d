/* @tag: D_PDESC_ZERO
 * @says: probe description pid4343:libm::entry does not match any probes
 * @line: 5
 * no such module in the process */
pid$target:libm::entry { }
