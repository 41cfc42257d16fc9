#@ what:    with opt=0, a statement too long for one BPF function is compiled at level 2 instead
sum=$(printf '+ (pid ^ tid) %.0s' $(seq 3000))
"$DTRACE" -e -x opt=0 -x passtiming -n "BEGIN { x = 0 $sum; }" 2>&1 | grep -oE '^level .'
"$DTRACE" -e -x opt=0 -x passtiming -n "BEGIN { x = 0 + (pid ^ tid); }" 2>&1 | grep -oE '^level .'
