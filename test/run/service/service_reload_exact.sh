#@ what:    while a script is replaced repeatedly under load, each probe hit is counted once
#@ needs:   syscall
. ./service.bash
cp "$PROGS/storm" "$TMP/turn$$"
text() { # VERSION: each version has its own text and a varying number of clauses, so that programs and probes differ
    cat <<X
#pragma D option quiet
#pragma D option output=$TMP/log
syscall::getsid:entry /execname == "turn$$"/ { @by[probefunc] = count(); @all = sum(2); }
syscall::getsid:return /execname == "turn$$"/ { @back = count(); }
syscall::getsid:entry /execname == "turn$$" && $1 % 3 == 0/ { @third = count(); }
END { printa("by %s %@d\n", @by); printa("all %@d\n", @all); printa("back %@d\n", @back); } // $1
X
}
text 0 | script it
start
storms() { # runs storms until the test ends, at low priority so that reloads get CPU time
    until [ -e "$TMP/enough" ]; do nice -n 19 "$TMP/turn$$" 4000000 2 0 getsid && echo 1 >>"$TMP/storms"; done
}
storms & storming=$!
reloads=0
until [ $reloads -ge 3 ] && [ -e "$TMP/storms" ]; do
    reloads=$((reloads + 1))
    text $reloads | script it
    client reload >>"$TMP/reloads"
done
: >"$TMP/enough"
wait $storming
echo "told: $(sed 's/(.*//' "$TMP/reloads" | sort | uniq -c | awk -v n=$reloads '{ $1 = $1 == n ? "each" : $1; print }')"
stop
# Prints each count divided by the number of storms, because every storm makes the same number of calls.
grep -v "^ *[0-9]*$" "$TMP/log" | tail -3 | awk -v storms="$(wc -l <"$TMP/storms")" '{ $NF /= storms; print }'
