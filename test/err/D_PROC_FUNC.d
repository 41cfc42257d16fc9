/* @tag: D_PROC_FUNC
 * @says: failed to lookup 'nosuch' in module 'a.out'
 * @line: 5
 * function not found in a module that is named */
pid$target:a.out:nosuch:entry { }
