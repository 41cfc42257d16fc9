/* @tag: D_PROC_BADPID
 * @says: 'pid4x4' does not contain a valid pid
 * @line: 5
 * a provider suffix after pid that is no number is an error */
pid4x4::main:entry { }
