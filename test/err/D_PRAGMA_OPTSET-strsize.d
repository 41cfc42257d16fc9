/* @tag: D_PRAGMA_OPTSET
 * @says: failed to set option 'strsize' to '1024': a struct or array that was declared earlier contains strings: set strsize before its declaration
 * @line: 6
 * changing strsize after a struct with a string was declared is an error */
struct q { string s; int y; };
#pragma D option strsize=1024
BEGIN { exit(0); }
