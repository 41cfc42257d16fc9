#@ what:    -ev prints the most memory that a trace can use, and option maxmem keeps this limit by dropping new keys
#@ lost:    aggregation
#@ needs:   syscall
total() { "$DTRACE" "$@" -e -v -c true | sed -n 's/,//g; s/^ *\([0-9]*\)  in all: .*/\1/p'; }
records='syscall::getppid:entry /pid == $target/ { @[self->i++] = count(); trace(1); }'
plain=$(total -n "$records") larger=$(total -b 8m -n "$records") limited=$(total -x memlimit=1m -n "$records")
[ $((larger - plain)) -ge $((4 << 20)) ] && echo "a larger buffer is larger"
[ $((plain - limited)) -ge $((500 << 20)) ] && echo "memlimit bounds an aggregation"
"$DTRACE" -ev -n 'profile-1 { @[ustack()] = count(); }' | sed -n 's/,//g; s/^ *\([0-9]*\)  kernel: unwind tables .*/\1/p' | awk '{ print "room for unwind tables:", ($1 > 64 * 1048576) }'
$DTRACE -x maxmem=1m -qn "$records" -c true 2>"$TMP/err"
sed 's/take [0-9,]* bytes/take N bytes/; s/parts: .*/parts: …/' "$TMP/err"
count=200000 counts='syscall::getppid:entry /pid == $target/ { @[self->i++] = count(); }'
limit=$(($(total -x memlimit=1m -n "$counts") + (1 << 20)))
$DTRACE -x maxmem=$limit -x drops -qn "$counts" -c "$PROGS/storm $count" >"$TMP/out" 2>"$TMP/err"
printed=$(awk 'NF == 2 && $2 == 1' "$TMP/out" | wc -l)
dropped=$(awk '/aggregation drops? on CPU/ { n += $2 } END { print n + 0 }' "$TMP/err")
[ $((printed + dropped)) -eq $count ] && echo "printed + dropped = produced" || echo "$printed printed, $dropped dropped"
[ "$(tr -d , <"$TMP/err" | awk '/ aggregation(_memory)?: / { n += $1 } END { print n + 0 }')" -eq "$dropped" ] && echo "lost as the ledger says"
[ "$dropped" -gt 50000 ] && echo "many dropped"
sed -n "s/ (now $limit bytes)/ (now so many bytes)/p" "$TMP/err"
