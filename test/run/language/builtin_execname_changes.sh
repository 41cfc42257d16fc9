#@ what:    execname keys of 2, 8 and 15 characters do not depend on the thread's previous name
#@ needs:   syscall
cat >"$TMP/renamed" <<'END'
for name in abcdefghijklmno abcdefgh xy abcdefgh; do printf $name >/proc/self/comm; done
END
$DTRACE -q -c "sh $TMP/renamed" -n '
syscall::write:return /pid == $target/ { @[execname] = count(); }
syscall::write:return /pid == $target && execname == "abcdefgh"/ { @equal = count(); }
syscall::write:return /pid == $target && execname == "abcdefg"/ { @equal = count(); }
syscall::write:return /pid == $target && execname == "abcdefghijklmno"/ { @equal = count(); }
END { printa("%s %@d\n", @); printa("%@d\n", @equal); }'
