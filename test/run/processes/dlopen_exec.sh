#@ what:    descriptions are looked up anew in the program that the target executes, and in what its children execute; a library that both load is one probe
# the program's own probe may be there later than those of its library: both are waited for
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
$DTRACE -Zwqs "$TMP/what.d" -n 'pid$target:libcalled*:called:return /calls > 3 && rounds && !told/ { told = 1; system("touch '"$TMP/end"'"); }' -x follow=exec -c "sh $TMP/in" | sort
