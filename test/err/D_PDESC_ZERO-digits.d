/* @tag: D_PDESC_ZERO
 * @says: probe description nfsv3:::op-read-start does not match any probes
 * @line: 5
 * a provider whose name ends in digits, such as nfsv3, is not taken for a process number */
nfsv3:::op-read-start { }
