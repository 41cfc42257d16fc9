/* @tag: D_PROC_BADPID
 * @says: 'pid0' does not contain a valid pid
 * @line: 5
 * a pid provider with the number 0, which no process has, is an error */
pid0:::entry { }
