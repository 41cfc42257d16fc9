/* @tag: D_PROC_BADPID
 * @says: 'pid0' does not contain a valid pid
 * @line: 5
 * no process has this number */
pid0:::entry { }
