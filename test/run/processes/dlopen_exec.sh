#@ what:    pid$target probes fire in programs that the target executes, and in their children
# The probe in the program may be attached later than those in its library, so the script waits for both.
cat >"$TMP/in" <<EOF
$PROGS/opener $PROGS/libcalled.so again &
while [ ! -e $TMP/end ]; do sleep 0.05; done
kill \$!
EOF
cat >"$TMP/what.d" <<'EOF'
pid$target:opener:once_again:entry { ++rounds; @[execname, probefunc] = count(); }
pid$target:libcalled*:called:entry { @[execname, probemod] = count(); }
pid$target:libcalled*:called:return { ++calls; }
END { printa("%s %s\n", @); }
EOF
$DTRACE -Zqs "$TMP/what.d" -n 'pid$target:libcalled*:called:return /calls > 3 && rounds/ { exit(0); }' -c "env env $PROGS/opener $PROGS/libcalled.so again" | sort
$DTRACE -Zwqs "$TMP/what.d" -n 'pid$target:libcalled*:called:return /calls > 3 && rounds && !told/ { told = 1; system("touch '"$TMP/end"'"); }' -x followchildren=exec -c "sh $TMP/in" | sort
