#@ what:    --shell: SIGINT ends the run alone, SIGTERM the shell as well
#@ needs:   profile
set -m # a job in the background would ignore SIGINT
begun() { for ((i = 0; i < 400; i++)); do (($(grep -c begun "$TMP/out") == $1)) && return; sleep 0.05; done; echo "not begun $1 times"; }
shell()
{
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
