/* @tag: D_PDESC_ZERO
 * no such module in the process */
pid$target:libm::entry { }
