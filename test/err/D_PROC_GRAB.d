/* @tag: D_PROC_GRAB
 * @says: failed to grab process 999999: No such process
 * @line: 5
 * process cannot be attached */
pid999999:::entry { }
