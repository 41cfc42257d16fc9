/* @tag: D_PROC_WATCH
 * @says: invalid access 'read': expected write, rw or exec
 * @line: 5
 * an access other than write, rw and exec is an error */
watch$target:a.out:main:read { }
