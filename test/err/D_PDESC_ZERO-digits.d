/* @tag: D_PDESC_ZERO
 * a provider whose name ends in digits is no process */
nfsv3:::op-read-start { }
