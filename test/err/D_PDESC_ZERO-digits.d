/* @tag: D_PDESC_ZERO
 * @says: probe description nfsv3:::op-read-start does not match any probes
 * @line: 5
 * digits at the end of a provider name such as nfsv3 are not interpreted as a process number */
nfsv3:::op-read-start { }
