#@ what:    -x dynvarpolicy=lru deletes the oldest array elements when there is no space, and reports how many
#@ lost:    replaced
#@ needs:   syscall
lru="$DTRACE -q -x dynvarpolicy=lru -x dynvarsize=16k"
$lru -x drops -n 'int n; int m; int missing;
syscall::getppid:entry /pid == $target && n < 10000/ { a[n++] = 1; }
syscall::getppid:entry /pid == $target && n == 10000 && m < 10000/ { missing += a[m++] == 0; }
END { printf("%d %d\n", missing, a[9999]); }' -c "$PROGS/storm 20000" >"$TMP/out" 2>"$TMP/err"
echo "status $?"
read -r missing youngest <"$TMP/out"
echo "youngest $youngest, $((missing >= 10000 - 1024 && missing < 10000))"
tr -d , <"$TMP/err" | grep -c "^dtrace: $missing elements of arrays and thread-local variables evicted to make room for newer ones: raise option dynvarsize (now 16384 bytes)"
tr -d , <"$TMP/err" | grep -c "^ *$missing  *elements  *replaced: "
grep -c "dynamic variable drop" "$TMP/err"
# Deleted elements do not count as evicted, in arrays of numbers and strings and in thread-local variables.
$lru -n 'int n; int all; syscall::getppid:entry /pid == $target/ { a[n] = 1; s[n] = "text"; self->i = 1; self->a[n] = 1; }
syscall::getppid:return /self->i/ { all += a[n] + (s[n] == "text") + self->a[n]; a[n] = 0; s[n] = 0; self->i = 0; self->a[n] = 0; n++; }
END { printf("%d\n", all); }' -c "$PROGS/storm 5000" 2>&1
# Without dynvarpolicy=lru, a new element that finds no space is dropped.
$DTRACE -q -x dynvarsize=16k -n 'syscall::getppid:entry /pid == $target/ { a[n++] = 1; } END { printf("%d\n", a[0]); }' -c "$PROGS/storm 5000" 2>&1 | sed 's/^dtrace: [0-9]* dynamic/dtrace: N dynamic/' | grep -v lost | sort -u
