#@ what:    a function with several implementations (IFUNC) is probed under its own name, and -lv names the implementation
#@ needs:   uprobe objcopy
counted() {
    $DTRACE -qn 'pid$target:a.out:add:entry { @[probefunc] = count(); @sum = sum(arg0); } pid$target:a.out:add:return { @results = sum(arg1); }
        END { printa("%s %@d", @); printa(" %@d", @sum); printa(" %@d\n", @results); }' -c "$1 5"
}
counted "$PROGS/chooser"
# Before a static program begins, the selected implementation is unknown, so each candidate has a probe.
counted "$PROGS/chooser_static"
$DTRACE -ln 'pid$target:a.out:add:entry' -c "$PROGS/chooser_static 0" | awk '{ print $4 }'
implementation() { $DTRACE -lvn 'pid$target:a.out:add:entry' -c "$1 0" | sed -n 's/^[[:space:]]*\(Implemented.*\)/\1/p'; }
implementation "$PROGS/chooser"
implementation "$PROGS/chooser_static"
# In a stripped program, only the exported name of the function is left.
objcopy --strip-all "$PROGS/chooser" "$TMP/stripped"
counted "$TMP/stripped"
implementation "$TMP/stripped"
