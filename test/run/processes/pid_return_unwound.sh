#@ what:    calls that end by an exception or a thread exit are counted for each function, and not as returns
#@ needs:   uprobe
probes='pid$target:a.out:fails:return, pid$target:a.out:passes:return, pid$target:a.out:holds:return, pid$target:a.out:hands_on:return,
        pid$target:a.out:cleans:return, pid$target:a.out:sleeps:return, pid$target:a.out:spends:return { @[probefunc] = count(); }
        END { printa("%s %@d\n", @); }'
told() {
    sed -n 's/^dtrace: pid[0-9]*:a.out:/told /p'
}
for what in exceptions ends; do
    $DTRACE -qn "$probes" -c "$PROGS/unwinds $what 1000" 2>&1 >"$TMP/out" | told | sort
    grep . "$TMP/out" | sort
done
echo "nothing unwound:"
$DTRACE -qn 'pid$target:a.out:holds:return { @ = count(); }' -c "$PROGS/unwinds none" 2>&1 | grep .
echo "no return probes:"
$DTRACE -qn 'pid$target:a.out:holds:entry { @ = count(); }' -c "$PROGS/unwinds exceptions 1000" 2>&1 | grep .
$DTRACE -x errors=json -qn 'pid$target:a.out:passes:return { }' -c "$PROGS/unwinds exceptions 3" 2>&1 >/dev/null | sed 's/pid[0-9]*/pidN/'
