/*@
 * what:    epid combines the probe id with the statement number
 */
BEGIN { printf("%x\n", epid); }
BEGIN { printf("%x\n", epid); exit(0); }
END { printf("%x\n", epid); }
