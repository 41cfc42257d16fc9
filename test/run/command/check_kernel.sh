#@ what:    --check-kernel reports for each given kernel how the probes of a script would be attached, or which probes are missing, without tracing
#@ needs:   host
cat >"$TMP/some.d" <<'END'
syscall::openat:entry, syscall::close:return, proc:::exec-success, BEGIN { }
END
ask() { $DTRACE --check-kernel "$@" 2>&1 | sed "s|$TMP|TMP|g; s|(.*)|(MACHINE)|"; }
cp /sys/kernel/btf/vmlinux "$TMP/types"
ask "$TMP/some.d" --kernel "$TMP/types"
ask "$TMP/some.d" | sed -n 1p
echo 'fbt::no_such_function:entry { }' >"$TMP/other.d"
ask "$TMP/other.d" --kernel "$TMP/types" --kernel /dev/null
$DTRACE --check-kernel "$TMP/some.d" --kernel "$TMP/types" >/dev/null && echo all of them
$DTRACE --check-kernel "$TMP/other.d" --kernel "$TMP/types" >/dev/null 2>&1 || echo not all of them
ask -n 'syscall::close:entry' --kernel "$TMP/types"
