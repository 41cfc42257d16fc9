/* @tag: D_PDESC_ZERO
 * @says: probe description nfsv3:::op-read-start does not match any probes
 * @line: 5
 * a provider whose name ends in digits is no process */
nfsv3:::op-read-start { }
