#@ what:    exceptions pass undamaged through functions with return probes, and returns and tail calls are counted
#@ needs:   uprobe
$DTRACE -qn '
pid$target:a.out:_Z7add_alli:entry,
pid$target:a.out:_Z7add_alli:return,
pid$target:a.out:_Z4faili:return,
pid$target:a.out:_Z8hands_oni:return,
pid$target:a.out:_Z4lasti:return { @[probefunc, probename] = count(); }
END { printa("%s %s %@d\n", @); }' -c "$PROGS/passes 1000" 2>"$TMP/told"
sort "$TMP/told" | sed 's/pid[0-9]*/pidN/'
