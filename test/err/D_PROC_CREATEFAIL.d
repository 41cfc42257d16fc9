/* @tag: D_PROC_CREATEFAIL
 * @says: failed to create probe pid4343:libc:malloc:return: probes inside processes are not implemented (yet)
 * @line: 5
 * a description without mistake */
pid$target:libc:malloc:return { }
