#@ what:    programs from recipes of docs/d-for-assistants.md, run by --agent, give the correct answers to questions about files
#@ needs:   syscall x86-64 python3
#@ timeout: 60
python3 ../../questions/ask "$DTRACE" ../../../docs/d-for-assistants.md ../../questions/files
