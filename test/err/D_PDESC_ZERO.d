/* @tag: D_PDESC_ZERO
 * @says: probe description nosuch:::probe does not match any probes
 * @line: 5
 * description matches no probe and no -Z */
nosuch:::probe { }
