/* @tag: D_UNKNOWN
 * @says: seen cannot be shared: its key is string, and only numbers are
 * @line: 6
 * an array of -x share has a number as its key */
#pragma D option share=seen
BEGIN { seen[execname] = 1; }
