/* @tag: D_PROC_FUNC
 * function not found in a module that is named */
pid$target:a.out:nosuch:entry { }
