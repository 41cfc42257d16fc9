/*@
 * what:    option agghist prints an aggregation as one histogram with a row for each entry, whose label is the keys joined by blanks
 */
#pragma D option agghist
BEGIN { @["a", 1] = sum(30); @["b", 2] = sum(10); @n = count(); exit(0); }
