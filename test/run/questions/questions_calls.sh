#@ what:    questions about system calls, which a client answers by --agent with the recipes of docs/d-for-assistants.md, over workloads that keep account of themselves
#@ needs:   syscall python3
#@ timeout: 60
python3 ../../questions/ask "$DTRACE" ../../../docs/d-for-assistants.md ../../questions/calls
