#@ what:    with the commands of -x schema=sqlite, sqlite3 imports 100,000 records from JSON lines or CSV with the right sums
#@ needs:   syscall sqlite3
#@ timeout: 60
cd "$TMP" || exit 1
cat >script.d <<'D'
int n;
syscall::write:entry /pid == $target && arg0 == 3/ { n++; trace(execname); printf("%d %s", n, "a\"b"); @s[execname] = sum(n); @q = quantize(arg2); }
syscall::write:entry /pid == $target && n == 1/ { trace(-n); }
D
for format in jsonl csv; do
    $DTRACE -q -x bufsize=64m -x format=$format -o trace.$format -s script.d -c "$PROGS/writes 100000 16"
    $DTRACE -qe -x schema=sqlite -x format=$format -s script.d -c /bin/true >schema.sql
    sqlite3 trace.db '.read schema.sql' <trace.$format
    [ $format = csv ] && sed -n 's/^-- //p' schema.sql | sh
    sqlite3 trace.db "SELECT count(*), count(DISTINCT ns) > 1, probe, value1, sum(value2), value3 FROM clause0; SELECT value1 FROM clause1" \
        'SELECT * FROM "@s"' 'SELECT * FROM "@q"'
    rm trace.db
done
