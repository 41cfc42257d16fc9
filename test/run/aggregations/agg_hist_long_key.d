/*@
 * what:    option agghist does not truncate long keys
 */
#pragma D option agghist
BEGIN { @["a key of more than sixteen"] = sum(3); exit(0); }
