/*@
 * what:    names of libraries that are younger than the version asked for are unknown
 * status:  1
 */
#pragma D option version=1.0
BEGIN { trace(nspid); exit(0); }
