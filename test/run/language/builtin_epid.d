/*@
 * what:    epid contains the probe id in its upper and the clause number in its lower 32 bits
 */
BEGIN { printf("%x\n", epid); }
BEGIN { printf("%x\n", epid); exit(0); }
END { printf("%x\n", epid); }
