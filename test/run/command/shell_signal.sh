#@ what:    SIGINT ends the current run of --shell but not the shell, and SIGTERM ends the shell
#@ needs:   profile
set -m # a job in the background would ignore SIGINT
begun() { until (($(grep -c begun "$TMP/out") == $1)); do sleep 0.05; done; }
shell()
{
    : >"$TMP/out"
    $DTRACE -q --shell <<'END' >"$TMP/out" 2>&1 &
BEGIN { printf("begun\n"); }
run
help strlen
run
END
    shell=$!
    begun 1
}
end()
{
    kill -TERM $shell
    wait $shell
    echo "status $?"
    cat "$TMP/out"
}
shell
kill -INT $shell
begun 2
end
shell
end
