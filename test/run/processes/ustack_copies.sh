#@ what:    copies of a program under several names share one unwind table in memory
#@ needs:   syscall host
: >"$TMP/out" # the loop below may read the file before the shell has opened it for the tracer
for i in $(seq 24); do
    cp "$PROGS/deep_static" "$TMP/copy$i" # its unwind table takes a sixth of a memory chunk of 256 KiB
    echo "'$TMP/copy$i' call 0 100000 & all=\"\$all \$!\""
done >"$TMP/run"
echo "until [ -e $TMP/end ]; do sleep 0.1; done; kill \$all" >>"$TMP/run"
$DTRACE -qn 'syscall::getppid:entry /progenyof($target)/ { ustack(); }' -c "sh $TMP/run" >"$TMP/out" &
tracer=$!
until found=$(sed -n 's/^ *copy\([0-9]*\)`_start.*/\1/p' "$TMP/out" | sort -u | wc -l); [ "$found" = 24 ]; do sleep 0.1; done
chunks=0
for range in $(sed -n 's/ .*bpf-map.*//p' /proc/$tracer/maps); do
    ((0x${range#*-} - 0x${range%-*} == 256 << 10)) && ((++chunks))
done
: >"$TMP/end"
wait
echo "$found programs, $( ((chunks > 0 && chunks < 3)) && echo "few chunks" || echo "$chunks chunks")"
