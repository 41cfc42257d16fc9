/* @tag: D_PRAGERR
 * @says: #error: stop here
 * @line: 5
 * #error, #pragma D error */
#pragma D error stop here
BEGIN { exit(0); }
