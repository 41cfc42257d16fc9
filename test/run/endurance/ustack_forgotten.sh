#@ what:    with a small memlimit, frames of some ended processes print without names, and a message gives the number of these processes
#@ needs:   syscall
cat >"$TMP/starts" <<END
i=0
while [ \$i -lt 300 ]; do "$PROGS/image_one" 1; i=\$((i + 1)); done
END
$DTRACE -x memlimit=128k -qn 'syscall::getppid:entry /ppid == $target && execname == "image_one"/ { @[pid, ustack(1)] = count(); }' \
    -c "sh $TMP/starts" >"$TMP/out" 2>"$TMP/err"
without=$(grep -c '^ *0x[0-9a-f]*$' "$TMP/out")
with=$(grep -c 'image_one`in_one' "$TMP/out")
[ $((with + without)) -eq 300 ] && echo "all are there" || cat "$TMP/out"
[ "$without" -gt 0 ] && echo "some have no names"
sed -n 's/addresses of \([0-9]*\) process.* are printed without names: .*/\1/p' "$TMP/err" | grep -qx "dtrace: $without" && echo "as many as it said" || echo "$without: $(cat "$TMP/err")"
