#@ what:    assigning 0 or NULL to a self-> variable frees its memory
#@ needs:   syscall
echo 'for i in 1 2 3 4 5; do sleep 0.1; done' >"$TMP/five"
"$DTRACE" -x dynvarsize=600 -qn 'self int x; self string s;
    syscall::clock_nanosleep:entry /progenyof($target)/ { self->x = 1; self->s = "text"; }
    syscall::clock_nanosleep:return /self->x/ { @ok[self->s] = count(); self->x = 0; self->s = NULL; }
    END { printa("%s %@d\n", @ok); }' -c "sh $TMP/five" 2>&1
