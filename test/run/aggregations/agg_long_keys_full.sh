#@ what:    keys of more than 512 bytes that exceed aggsize are counted as drops, and the others have exact values
#@ needs:   syscall
$DTRACE -x strsize=600 -x aggsize=16k -qn 'syscall::getppid:entry /pid == $target/ { @[lltostr(self->i++ % 1000), "b"] = count(); total++; }
    END { printf("total %d\n", total); printa("%s %s %@d\n", @); }' -c "$PROGS/storm 3000" >"$TMP/out" 2>"$TMP/err"
drops=$(sed -n 's/.* \([0-9]*\) aggregation drops.*/\1/p' "$TMP/err" | awk '{ sum += $1 } END { print sum + 0 }')
awk -v drops="$drops" '$1 == "total" { total = $2 } NF == 3 { rows++; sum += $3; whole += $3 == 3 }
    END { print (rows > 0 && whole == rows), (drops > 0), sum + drops == total ? "all counted" : sum " and " drops " of " total }' "$TMP/out"
