#@ what:    a set dynvarsize limits thread-local variables too: what finds no room ends its clause and is counted
#@ needs:   syscall
echo 'for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1 & done; wait' >"$TMP/ten"
"$DTRACE" -x dynvarsize=64 -qn 'self int x;
    syscall::clock_nanosleep:entry /progenyof($target)/ { self->x = 1; @ok = count(); }
    END { printa("%@d stored\n", @ok); }' -c "sh $TMP/ten" 2>&1 | sort
