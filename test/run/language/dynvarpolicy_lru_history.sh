#@ what:    -x dynvarpolicy=lru reports the number of deleted elements even if blame() stores thread histories in the same memory
#@ needs:   syscall
$DTRACE -q -x dynvarpolicy=lru -x dynvarsize=16k -n 'int n; int m; int missing;
syscall::getppid:entry /pid == $target && n < 5000/ { a[n++] = 1; }
syscall::getppid:entry /pid == $target && n == 5000 && m < 5000/ { missing += a[m++] == 0; }
syscall::exit_group:entry /pid == $target/ { @ = blame(timestamp - 1); clear(@); trunc(@); }
END { printf("%d\n", missing); }' -c "$PROGS/storm 10000" >"$TMP/out" 2>"$TMP/err"
read -r missing <"$TMP/out"
echo "missing $((missing > 0))"
tr -d , <"$TMP/err" | grep -c "^dtrace: $missing elements of arrays"
