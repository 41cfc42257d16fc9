#@ what:    the disasm command of --shell shows the program's code
printf 'disasm\nBEGIN { exit(0); }\ndisasm\n' | $DTRACE -q --shell 2>&1 | grep -o '^dtrace: .*\|Disassembly of clause.*BEGIN'
