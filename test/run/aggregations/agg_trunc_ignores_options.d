/*@
 * what:    trunc() selects entries by value even if options sort the output by key
 */
#pragma D option aggsortkey
#pragma D option aggsortrev
BEGIN { @["a"] = sum(1); @["b"] = sum(3); @["c"] = sum(2); trunc(@, 2); exit(0); }
