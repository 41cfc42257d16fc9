/* @tag: D_PROTO_ARG
 * @says: percpu( ) argument #1 must be a per-CPU variable of the kernel
 * @line: 6
 * @hint: for example percpu(`runqueues, 0).nr_running
 * percpu() of anything but a per-CPU kernel variable is an error */
BEGIN { trace(percpu(curthread, 0)); }
