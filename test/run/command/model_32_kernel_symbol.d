/*@
 * what:    a program compiled with -32 cannot use symbols of a 64-bit kernel
 * run:     -32 -xerrtags -qs %file%
 * status:  1
 * stderr:  contains
 */
BEGIN { trace(`vfs_read); exit(0); }
