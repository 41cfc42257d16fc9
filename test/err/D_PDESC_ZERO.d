/* @tag: D_PDESC_ZERO
 * @says: probe description nosuch:::probe does not match any probes
 * @line: 5
 * a description that matches no probe is an error without -Z */
nosuch:::probe { }
