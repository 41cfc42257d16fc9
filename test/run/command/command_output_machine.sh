#@ what:    with a machine-readable format on stdout, the output of the -c command goes to stderr
#@ needs:   syscall python3
echo hello >"$TMP/hello"
script='BEGIN { @[stack()] = count(); } END { printf("end\n"); }'
where() { $DTRACE -q "$@" -n "$script" -c "cat $TMP/hello" >"$TMP/out" 2>"$TMP/err"; echo "$* $(grep -c hello "$TMP/out") $(grep -c hello "$TMP/err")" | sed "s,$TMP/,,"; }
where
where -x format=jsonl
python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <"$TMP/out" && echo "all of it is JSON"
where -x format=folded
where -x format=flamegraph
where -x format=jsonl -o "$TMP/lines"
printf '#pragma D option quiet\n  #pragma  D option format=jsonl\n%s\n' "$script" >"$TMP/script"
$DTRACE -s "$TMP/script" -c "cat $TMP/hello" 2>&1 >"$TMP/out"
