/*@
 * what:    with -x version, library names newer than the requested D version are unknown
 * status:  1
 */
#pragma D option version=1.0
BEGIN { trace(nspid); exit(0); }
