#@ what:    probes of a -c command still fire after its main thread has exited, also with -x followchildren
#@ needs:   uprobe.multi
for each in "none leader" "fork fork" "exec exec"; do
    set -- $each
    "$DTRACE" -x followchildren=$1 -qn 'pid$target:a.out:in_thread:entry,pid$target:a.out:in_thread:return { @[probename] = count(); }
END { printf("%s:", $$1); printa(" %@d %s", @); printf("\n"); }' $2 -c "$PROGS/process_end $2"
done
