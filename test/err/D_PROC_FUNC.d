/* @tag: D_PROC_FUNC
 * @says: failed to lookup 'nosuch' in module 'a.out'
 * @line: 5
 * a function that the named module does not have is an error */
pid$target:a.out:nosuch:entry { }
