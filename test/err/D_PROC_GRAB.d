/* @tag: D_PROC_GRAB
 * @says: failed to grab process 999999: No such process
 * @line: 5
 * a process that cannot be attached to is an error */
pid999999:::entry { }
