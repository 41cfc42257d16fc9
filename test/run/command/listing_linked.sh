#@ what:    -x disasm lists the linked program with its runtime functions, and the loaded program with the targets of its calls
program='BEGIN { trace(strstr("haystack", "st")); exit(0); }'
$DTRACE -Se -n "$program" 2>&1 | grep -c '\*UND\*'
$DTRACE -Se -x disasm=4 -n "$program" 2>&1 | grep -cE '\*UND\*'
$DTRACE -Se -x disasm=4 -n "$program" 2>&1 | grep -oE 'linked function, <dt_strstr>'
$DTRACE -Sq -x disasm=8 -n "$program" 2>&1 | grep -cE 'call dt_'
$DTRACE -Sq -x disasm=8 -n "$program" 2>&1 | grep -qE ': 85 0 1 .*-> [0-9]' && echo "calls inside"
