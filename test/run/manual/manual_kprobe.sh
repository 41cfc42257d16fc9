#@ what:    examples of the manual pages that need kprobes run on kernels with kprobes
#@ needs:   kprobe python3
#@ timeout: 240
exec ../../manual/examples --needing kprobe ../../../man/dtrace*.[78] ../../../docs/d-for-assistants.md ../../../README.md
