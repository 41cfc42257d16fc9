#@ what:    a fault message names the clause dt_clause_N; N counts the clauses of all programs of the command line, each once for every probe description
#@ needs:   syscall
echo 'BEGIN /n/ { } BEGIN, BEGIN { trace(1 / n); }' >"$TMP/b.d"
"$DTRACE" -q -n 'BEGIN { n = 0; } ERROR, BEGIN { }' -n 'END { trace(2 / n); } BEGIN /1 / n/ { trace(1); }' -s "$TMP/b.d" \
    -n 'BEGIN { printf("last\n"); exit(3); }' 2>"$TMP/err"
echo "status $?"
sed 's/ at BPF pc [0-9]*$//' "$TMP/err"
