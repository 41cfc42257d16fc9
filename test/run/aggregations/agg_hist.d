/*@
 * what:    option agghist prints all entries of an aggregation as one histogram, with keys joined by blanks
 */
#pragma D option agghist
BEGIN { @["a", 1] = sum(30); @["b", 2] = sum(10); @n = count(); exit(0); }
