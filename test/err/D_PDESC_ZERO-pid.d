/* @tag: D_PDESC_ZERO
 * no process can have this number */
pid99999999999:::entry { }
