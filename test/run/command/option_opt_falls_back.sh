#@ what:    a statement too long for one function is optimised even at a level without optimisation
sum=$(printf '+ (pid ^ tid) %.0s' $(seq 3000))
"$DTRACE" -e -x opt=0 -x passtiming -n "BEGIN { x = 0 $sum; }" 2>&1 | grep -oE '^level .'
"$DTRACE" -e -x opt=0 -x passtiming -n "BEGIN { x = 0 + (pid ^ tid); }" 2>&1 | grep -oE '^level .'
