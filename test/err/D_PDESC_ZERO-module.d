/* @tag: D_PDESC_ZERO
 * @says: probe description pid4343:libm::entry does not match any probes
 * @line: 5
 * a module that the process does not have matches no probes */
pid$target:libm::entry { }
