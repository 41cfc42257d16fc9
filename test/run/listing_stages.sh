#@ what:    -S shows a clause by the program it is part of, with or without a function for faults; disasm=2 shows whole programs
list() { "$DTRACE" -Se "$@" 2>&1 | grep -oE '^Disassembly of (clause|program) .*, '; }
list -n 'BEGIN { x = 1; }'
list -n 'BEGIN { x = *(int *)8; } ERROR { y = 1; }'
list -x disasm=2 -n 'BEGIN { x = 1; }'
list -x disasm=3 -n 'BEGIN { x = 1; } BEGIN { x = 2; }'
