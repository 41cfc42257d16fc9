#@ what:    an --agent client answers questions about files correctly, using recipes of docs/d-for-assistants.md
#@ needs:   syscall x86-64 python3
#@ timeout: 60
python3 ../../questions/ask "$DTRACE" ../../../docs/d-for-assistants.md ../../questions/files
