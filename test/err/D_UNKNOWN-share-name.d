/* @tag: D_UNKNOWN
 * @says: option share names other, and the program has no such array
 * @line: 6
 * -x share names what there is */
#pragma D option share=seen,other
BEGIN { seen[1] = 1; }
