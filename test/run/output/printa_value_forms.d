/*@
 * what:    %@d, %@u, %@x and %@o print an aggregation value in all integer forms
 */
BEGIN { @["k"] = sum(255); exit(0); }
END { printa("%s %@d %@u %@x %@o %@i [%@5d] [%-@5d] [%@05d]\n", @); }
