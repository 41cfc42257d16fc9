#@ what:    if a probe interrupts a write to an mmap ring, both records are printed or counted as drops
#@ needs:   kprobe lock-functions
"$DTRACE" -qn 'int calls, locks;
    syscall::getppid:entry /pid == $target/ { calls++; printf("call\n"); }
    fbt::_raw_spin_lock_irqsave:entry,fbt::_raw_spin_unlock_irqrestore:entry /pid == $target/ { locks++; printf("lock\n"); }
    END { printf("all %d %d\n", calls, locks); }' -c "$PROGS/syscalls getppid 300000" >"$TMP/out" 2>"$TMP/err"
echo "status $?"
dropped=$(awk '/ drops? on CPU / { n += $2 } END { print n + 0 }' "$TMP/err")
awk -v dropped="$dropped" '/^call|^lock/ { n++ } /^all/ { print "calls", $2, "locks", ($3 > 1000); print "missing", $2 + $3 - n - dropped }' "$TMP/out"
