/* @tag: D_PRAGERR
 * @says: #error: stop here
 * @line: 5
 * #error and #pragma D error stop the compilation and print their text as an error */
#pragma D error stop here
BEGIN { exit(0); }
