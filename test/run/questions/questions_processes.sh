#@ what:    an --agent client answers questions about processes, signals and threads correctly, using recipes of docs/d-for-assistants.md
#@ needs:   syscall python3
#@ timeout: 60
python3 ../../questions/ask "$DTRACE" ../../../docs/d-for-assistants.md ../../questions/processes
