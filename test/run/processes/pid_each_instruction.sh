#@ what:    probes at entry, return and every instruction of leaf functions do not change a program's results
#@ needs:   uprobe
$PROGS/checksum 20 >$TMP/alone
# mix_atomics() begins with an instruction that the kernel takes no probe on where a machine has one for that.
$DTRACE -Zqn 'pid$target:a.out:mix_*: { @[probename == "entry" || probename == "return" ? probename : "instruction"] = sum(probefunc != "mix_atomics"); }
    END { printa("%s %@d\n", @); }' -c "$PROGS/checksum 20" 2>$TMP/told >$TMP/traced
grep -E '^[0-9a-f]{16}$' $TMP/traced | cmp - $TMP/alone && echo same
# Each round main calls the six others, and mix_bits() once more for each of all seven; mix_calls() calls that and itself for each digit in base 4:
# 13 * 20 and, as three numbers have one digit, twelve two and five three, 2 * (3 + 24 + 15).
awk '$1 == "entry" { entries = $2 } $1 == "return" { returns = $2 } $1 == "instruction" { instructions = $2 }
    END { print (instructions > 5 * entries ? "each" : instructions); print entries, returns == entries ? "returns" : returns }' $TMP/traced
