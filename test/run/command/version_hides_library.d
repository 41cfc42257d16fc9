/*@
 * what:    with -x version, library names that later D versions introduced are unknown
 * status:  1
 */
#pragma D option version=1.0
BEGIN { trace(nspid); exit(0); }
