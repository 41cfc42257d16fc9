#@ what:    --shell: disasm shows the code of the program
printf 'disasm\nBEGIN { exit(0); }\ndisasm\n' | $DTRACE -q --shell 2>&1 | grep -o '^dtrace: .*\|Disassembly of clause.*BEGIN'
