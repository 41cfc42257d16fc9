/* @tag: D_PROTO_ARG
 * @says: percpu( ) argument #1 must be a per-CPU variable of the kernel
 * @line: 5
 * @hint: for example percpu(`runqueues, 0).nr_running */
BEGIN { trace(percpu(curthread, 0)); }
