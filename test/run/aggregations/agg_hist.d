/*@
 * what:    agghist: the entries of one aggregation as one histogram; keys joined by blanks
 */
#pragma D option agghist
BEGIN { @["a", 1] = sum(30); @["b", 2] = sum(10); @n = count(); exit(0); }
