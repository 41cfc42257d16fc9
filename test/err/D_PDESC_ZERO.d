/* @tag: D_PDESC_ZERO
 * description matches no probe and no -Z */
nosuch:::probe { }
