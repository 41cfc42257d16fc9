#@ what:    when memlimit has no room for all processes that ended, some have no names at the end, and it is said how many
#@ needs:   syscall
cat >"$TMP/starts" <<END
i=0
while [ \$i -lt 300 ]; do "$PROGS/image_one" 1; i=\$((i + 1)); done
END
$DTRACE -x memlimit=128k -qn 'syscall::getppid:entry /ppid == $target && execname == "image_one"/ { @[ustack(1)] = count(); }' -c "sh $TMP/starts" \
    >"$TMP/out" 2>"$TMP/err"
without=$(awk '/0x/ && !/`/ { getline; n += $1 } END { print n + 0 }' "$TMP/out")
with=$(awk '/image_one`in_one/ { getline; n += $1 } END { print n + 0 }' "$TMP/out")
[ $((with + without)) -eq 300 ] && echo "all are there" || cat "$TMP/out"
[ "$without" -gt 0 ] && echo "some have no names"
sed -n 's/addresses of \([0-9]*\) process.*: too many others.*/\1/p' "$TMP/err" | grep -qx "dtrace: $without" && echo "as many as it said" || cat "$TMP/err"
