/*@
 * what:    an aggregation that was never updated prints nothing
 */
BEGIN /0/ { @a = count(); @q[1] = quantize(1); }
BEGIN { @b = count(); exit(0); }
