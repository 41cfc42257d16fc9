/* @tag: D_PROC_GRAB
 * @says: failed to grab file /nowhere/at/all: No such file or directory
 * @line: 5
 * pid@FILE with a missing file is an error */
pid@/nowhere/at/all:::entry { }
