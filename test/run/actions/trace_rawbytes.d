/*@
 * what:    rawbytes: an integer is a dump, too
 */
#pragma D option rawbytes
BEGIN { trace(0x41424344); exit(0); }
