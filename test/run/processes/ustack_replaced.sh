#@ what:    stack frames of a running program are printed with names after its file was replaced or removed
#@ needs:   syscall
wait_until() { until eval "$1"; do sleep 0.1; done; }
trace() {
    cp "$PROGS/image_one" "$TMP/program"
    mkfifo "$TMP/input"
    exec 3<>"$TMP/input"
    : >"$TMP/out" # removes the output of an earlier run
    "$TMP/program" 0 <&3 &
    wait_until '[[ $(readlink /proc/$!/exe) == */program ]]'
    $DTRACE -qn 'BEGIN { printf("ready\n"); } syscall::getppid:entry /pid == $target/ { ustack(1); }' -p $! >"$TMP/out" &
    wait_until 'grep -qs ready "$TMP/out"'
    $1
    echo >&3
    wait
    exec 3>&-
    rm "$TMP/input"
    sed '/^$/d; /ready/d; s/^ *//; s/+.*//' "$TMP/out"
}
replace() { cp "$PROGS/image_two" "$TMP/other"; mv "$TMP/other" "$TMP/program"; }
remove() { rm "$TMP/program"; }
trace replace
trace remove
