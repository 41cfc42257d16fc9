/*@
 * what:    option rawbytes makes trace() dump an integer as bytes
 */
#pragma D option rawbytes
BEGIN { trace(0x41424344); exit(0); }
