#@ what:    programs from recipes of docs/d-for-assistants.md, run by --agent, give the correct answers to questions about functions and networks
#@ needs:   syscall python3
#@ timeout: 60
python3 ../../questions/ask "$DTRACE" ../../../docs/d-for-assistants.md ../../questions/programs
