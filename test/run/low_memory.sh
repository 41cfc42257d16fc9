#@ what:    too little memory, at the start or later, is one line and status 1
step=2000
[ -n "$DTRACE_GUEST" ] && step=8000
for size in $(seq 8000 $step 60000) 1000000; do
    (ulimit -v "$size" && $DTRACE -qn 'BEGIN { @[ustack(), stack()] = count(); exit(0); }' >/dev/null 2>"$TMP/err")
    status=$?
    [ $status = 127 ] && continue # not even the libraries of the program
    echo "$status $(cat "$TMP/err")"
done 2>&1 | sort | uniq
