#@ what:    self-> variables beyond option dynvarsize are counted as drops
#@ needs:   syscall
# All ten processes must sleep at the same time, because a thread that ends frees its variables. The loop that waits for them must not sleep itself.
cat >"$TMP/ten" <<'S'
for i in 1 2 3 4 5 6 7 8 9 10; do sleep 1000 & all="$all $!"; done
for each in $all; do until grep -q sleep /proc/$each/comm && grep -q '^State:.S' /proc/$each/status; do :; done; done
kill $all
wait
S
"$DTRACE" -x dynvarsize=64 -qn 'self int x;
    syscall::clock_nanosleep:entry /progenyof($target)/ { self->x = 1; @ok = sum(self->x); @all = count(); }
    END { printa("%@d stored of %@d\n", @ok, @all); }' -c "sh $TMP/ten" 2>&1 | sort
