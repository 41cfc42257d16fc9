/* @tag: D_PROC_DYN
 * the tracer itself */
pid$pid:::entry { }
