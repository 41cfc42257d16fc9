/* @tag: D_PROC_BADPID
 * @says: 'pid4x4' does not contain a valid pid
 * @line: 5
 * the part after pid is no number */
pid4x4::main:entry { }
