#@ what:    wrong command lines and programs give the documented messages and exit statuses
#@ needs:   syscall host
run()
{
    "$DTRACE" "$@" >"$TMP/out" 2>"$TMP/err"
    echo "status $?: $(sed -n '1s/^\(Usage: dtrace \[options\]\).*/\1/p; 1p' "$TMP/err" | head -n 1)"
}
run
run -Q
run -31
run -s /nonexistent.d
run -x nosuch -n 'BEGIN { exit(0); }'
run -x bufsize=1q -n 'BEGIN { exit(0); }'
run -b 4q -n 'BEGIN { exit(0); }'
run -n 'BEGIN { trace(nosuch); }'
run -n 'BEGIN{trace(}'
run -n 'foo:bar:baz:x{}'
run -n 0
run -p abc -n BEGIN
run -l -V
run -q
