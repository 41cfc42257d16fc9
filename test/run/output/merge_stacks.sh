#@ what:    if stacks of several hosts print the same text, --merge adds up their values, also with format=folded
run()
{
    $DTRACE -x format=snapshot -n 'BEGIN { @k[stack(3)] = count(); @m["m", 1] = max(1); exit(0); }' 2>/dev/null | sed "s/^/$1: /"
}
run web1 >"$TMP/all"
run web2 >>"$TMP/all"
$DTRACE -x format=jsonl --merge "$TMP/all" 2>&1 | grep -v record | sed 's/"stack":\[".*"\]}/"stack":…}/'
$DTRACE -x format=folded --merge "$TMP/all" 2>&1 | sed 's/^.* 2$/stack 2/'
