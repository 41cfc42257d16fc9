/* @tag: D_PROC_GRAB
 * @says: failed to grab file /nowhere/at/all: No such file or directory
 * @line: 5
 * a file that is to be probed in all processes is not there */
pid@/nowhere/at/all:::entry { }
