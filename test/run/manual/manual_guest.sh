#@ what:    examples of the manual pages that trace other processes or change the system run in a guest
#@ needs:   guest loop python3
#@ timeout: 240
exec ../../manual/examples --needing guest --needing loop --needing kprobe ../../../man/dtrace*.[78] ../../../docs/d-for-assistants.md ../../../README.md
