#@ what:    functions of a stripped program are found through its debug file or its compressed symbol table
#@ needs:   objcopy
cp "$PROGS/calls" "$TMP/whole"
count='{ @[probefunc] = count(); } END { printa("%s %@d\n", @); }'
objcopy --only-keep-debug "$TMP/whole" "$TMP/kept.debug"
objcopy --strip-all --add-gnu-debuglink="$TMP/kept.debug" "$TMP/whole" "$TMP/linked"
$DTRACE -qn "pid\$target:a.out:hidden:entry $count" -c "$TMP/linked 2"
echo other >>"$TMP/kept.debug"
$DTRACE -qn "pid\$target:a.out:hidden:entry $count" -c "$TMP/linked 2" 2>&1 | grep -o "failed to lookup 'hidden' in module 'a.out': its file has no symbols"
objcopy --strip-all --remove-section=.gnu_debuglink "$TMP/whole" "$TMP/bare"
xz -k "$TMP/whole"
objcopy --add-section .gnu_debugdata="$TMP/whole.xz" "$TMP/bare" "$TMP/carries"
$DTRACE -qn "pid\$target:a.out:hidden:entry $count" -c "$TMP/carries 3"
