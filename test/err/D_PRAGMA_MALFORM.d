/* @tag: D_PRAGMA_MALFORM
 * wrong argument list */
#pragma D option quiet now
BEGIN { exit(0); }
