/* @tag: D_PRAGMA_MALFORM
 * @says: superfluous arguments specified for #pragma option
 * @line: 5
 * wrong argument list */
#pragma D option quiet now
BEGIN { exit(0); }
