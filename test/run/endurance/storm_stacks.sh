#@ what:    with default options, 200,000 different user stacks are recorded, each with its own argument
#@ needs:   syscall alone
#@ timeout: 120
count=200000
[ -n "$DTRACE_GUEST" ] && count=20000
$DTRACE -x format=folded -qn 'syscall::getppid:entry /pid == $target/ { @[arg0, ustack()] = count(); }' -c "$PROGS/two_stacks $count" \
    >"$TMP/out" 2>"$TMP/err"
# The functions after main, outermost first, encode the bits of the argument that is printed before the stack, lowest bit first.
awk -F '[; ]' '{
    path = 0; bit = 1
    for (i = 2; i < NF; i++) {
        if ($i == "right") path += bit
        if ($i == "left" || $i == "right") bit *= 2
    }
    if (path != $1 || bit != 2 ^ 18 || $NF != 1) wrong++
} END { print NR, wrong + 0 }' "$TMP/out" >"$TMP/read"
read -r printed wrong <"$TMP/read"
dropped=$(awk '/aggregation drop/ { n += $2 } END { print n + 0 }' "$TMP/err")
[ $((printed + dropped)) -eq "$count" ] && echo "printed + dropped = produced" || echo "$printed printed, $dropped dropped, $count produced"
echo "$wrong wrong"
