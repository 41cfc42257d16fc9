#@ what:    as an aggregation key, execname depends only on the present name of the thread, even if an earlier name was longer
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
