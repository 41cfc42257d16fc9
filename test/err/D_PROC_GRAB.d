/* @tag: D_PROC_GRAB
 * process cannot be attached */
pid999999:::entry { }
