/* @tag: D_PRAGMA_MALFORM
 * @says: superfluous arguments specified for #pragma option
 * @line: 5
 * a D pragma with a wrong argument list is an error */
#pragma D option quiet now
BEGIN { exit(0); }
