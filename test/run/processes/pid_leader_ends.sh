#@ what:    with -c, probes keep firing after the main thread has exited, also in children of other threads
#@ needs:   uprobe.multi
for each in "none leader" "fork fork" "exec exec"; do
    set -- $each
    "$DTRACE" -x followchildren=$1 -qn 'pid$target:a.out:in_thread:entry,pid$target:a.out:in_thread:return { @[probename] = count(); }
END { printf("%s:", $$1); printa(" %@d %s", @); printf("\n"); }' $2 -c "$PROGS/process_end $2"
done
