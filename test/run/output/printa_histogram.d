/*@
 * what:    printa() prints a histogram
 */
BEGIN { @q["k"] = quantize(3); exit(0); }
END { printa("%s%@d\n", @q); }
