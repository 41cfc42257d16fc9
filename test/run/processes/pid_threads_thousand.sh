#@ what:    a program with eight threads and a thousand probed functions does not crash, and counts are exact
#@ needs:   uprobe
#@ timeout: 60
# Without uprobe.multi each probe takes 70 ms to detach, so the test probes only the ninety functions with two digits in their names.
if grep -q bpf_uprobe_multi_link_attach /proc/kallsyms; then functions='f[0-9]*' many=1000; else functions='f[0-9][0-9]' many=90; fi
for probe in entry return; do
    $DTRACE -qn "pid\$target:a.out:$functions:$probe"' { @all = count(); @sum = sum(2); @each[probefunc] = count(); }
        END { trunc(@each, 1); printa("%@d", @all); printa(" %@d", @sum); printa(" %@d\n", @each); }' -c "$PROGS/thousand for 1500 8" >"$TMP/out" 2>"$TMP/err"
    grep -v '^dtrace: attaching .* events by' "$TMP/err" >&2 # kernels without uprobe.multi
    awk -v probe=$probe -v many=$many 'NR == 1 { rounds = $1 } NR == 2 { all = $1; sum = $2; each = $3 }
        END { is_exact = rounds != 0 && all == many * rounds && sum == 2 * all && each == rounds
              print probe, (is_exact ? "exact" : rounds " rounds, " all ", " sum ", " each) }' "$TMP/out"
done
