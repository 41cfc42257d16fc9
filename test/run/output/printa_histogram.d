/*@
 * what:    %@d in printa() prints a histogram for quantize()
 */
BEGIN { @q["k"] = quantize(3); exit(0); }
END { printa("%s%@d\n", @q); }
