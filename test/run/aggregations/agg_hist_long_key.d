/*@
 * what:    option agghist prints long keys completely
 */
#pragma D option agghist
BEGIN { @["a key of more than sixteen"] = sum(3); exit(0); }
