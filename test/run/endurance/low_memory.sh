#@ what:    insufficient memory, at startup or later, gives a one-line error and status 1
# In small steps where the program just begins: before main() there is no memory for what the C++ library sets aside for exceptions.
begin=$(seq 11000 50 13000) step=2000
[ -n "$DTRACE_GUEST" ] && begin= step=8000
for size in $begin $(seq 8000 $step 60000) 1000000; do
    (ulimit -v "$size" && $DTRACE -qn 'BEGIN { @[ustack(), stack()] = count(); exit(0); }' >/dev/null 2>"$TMP/err")
    status=$?
    [ $status = 127 ] && continue # not even the libraries of the program
    echo "$status $(cat "$TMP/err")"
done 2>&1 | sort | uniq
