/* @tag: D_PROC_CREATEFAIL
 * a description without mistake */
pid$target:libc:malloc:return { }
