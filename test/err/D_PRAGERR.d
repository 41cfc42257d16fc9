/* @tag: D_PRAGERR
 * #error, #pragma D error */
#pragma D error stop here
BEGIN { exit(0); }
