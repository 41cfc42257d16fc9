/* @tag: D_PROC_DYN
 * @says: process 4242 is dtrace itself, which cannot be traced with the pid provider
 * @line: 5
 * pid probes in the tracer itself are an error */
pid$pid:::entry { }
