#@ what:    -S lists the compiled code of each clause; option disasm selects whole programs, linked programs or the loaded code instead
list() { "$DTRACE" -S "$@" 2>&1 | grep -oE '^Disassembly of (clause|(linked |final )?program) .*, '; }
list -en 'BEGIN { x = 1; }'
list -en 'BEGIN { x = *(int *)8; } ERROR { y = 1; }'
list -x disasm=2 -en 'BEGIN { x = 1; }'
list -x disasm=3 -en 'BEGIN { x = 1; } BEGIN { x = 2; }'
list -x disasm=4 -en 'BEGIN { x = 1; }'
list -x disasm=8 -en 'BEGIN { x = 1; }' || echo "not loaded: no final code"
list -x disasm=8 -n 'BEGIN { exit(0); }'
