#@ what:    the examples of the manual that need kprobes run where there are kprobes
#@ needs:   kprobe python3
#@ timeout: 240
exec ../../manual/examples --needing kprobe ../../../man/dtrace*.[78] ../../../docs/d-for-assistants.md ../../../README.md
