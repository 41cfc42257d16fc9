#@ what:    a tracer killed by SIGKILL at a random moment leaves no program, map, event or pinned object in the kernel (variable KILLS sets the number of kills)
#@ needs:   syscall profile bpftool alone
#@ timeout: 120
. ./leftovers.bash
set -m
cp "$PROGS/sleeper" "$TMP/left$$"
"$TMP/left$$" & sleeper=$!
kills=${KILLS:-20}
for ((i = 0; i < kills; i++)); do
    $DTRACE -x sandbox=always -qn 'BEGIN { x = 1; } syscall:::entry { @[execname] = count(); } pid$target::main:entry { n++; } profile-97 { @p = count(ustack()); }' \
        -p $sleeper >"$TMP/out" 2>"$TMP/err" & tracer=$!
    sleep 0.$(printf %03d $((RANDOM % 400)))
    { kill -9 $tracer; wait $tracer; } 2>/dev/null
done
kill -0 $sleeper && echo "the program goes on"
{ kill $sleeper; wait $sleeper; } 2>/dev/null
left_behind
