/*@
 * what:    agghist: a long key is not cut
 */
#pragma D option agghist
BEGIN { @["a key of more than sixteen"] = sum(3); exit(0); }
