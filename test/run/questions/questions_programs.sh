#@ what:    an --agent client answers questions about program functions and the network correctly, using recipes of docs/d-for-assistants.md
#@ needs:   syscall python3
#@ timeout: 60
python3 ../../questions/ask "$DTRACE" ../../../docs/d-for-assistants.md ../../questions/programs
