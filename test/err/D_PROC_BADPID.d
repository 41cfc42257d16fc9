/* @tag: D_PROC_BADPID
 * no process has this number */
pid0:::entry { }
