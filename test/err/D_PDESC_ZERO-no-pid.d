/* @tag: D_PDESC_ZERO
 * pid without a number */
pid:::entry { }
