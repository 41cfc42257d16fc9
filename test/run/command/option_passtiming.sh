#@ what:    -x passtiming lists the compiler passes of the optimisation level in order, and -S also prints the code before or after a pass
passes() { "$DTRACE" -e -x passtiming -x opt="$@" -n 'BEGIN { x = pid + pid; }' 2>&1; }
for level in 0 1 2; do
    passes $level | sed -n 's/  .*//p' | grep -xE 'level .|unreachable blocks|constants|common subexpressions|comparisons|dead code|shared calls|instructions of BPF'
done
passes 1 -S | grep -cE '^after common subexpressions:$'
passes 2 -S | grep -oE '^(before unreachable blocks|after common subexpressions):$'
