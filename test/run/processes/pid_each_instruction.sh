#@ what:    a program computes the same results while its functions have probes on entry, return and every instruction
#@ needs:   uprobe
$PROGS/checksum 20 >$TMP/alone
# mix_atomics() may begin with an atomic instruction that the kernel refuses to probe, so it is not counted.
$DTRACE -Zqn 'pid$target:a.out:mix_*: { @[probename == "entry" || probename == "return" ? probename : "instruction"] = sum(probefunc != "mix_atomics"); }
    END { printa("%s %@d\n", @); }' -c "$PROGS/checksum 20" 2>$TMP/told >$TMP/traced
grep -E '^[0-9a-f]{16}$' $TMP/traced | cmp - $TMP/alone && echo same
# In each of 20 rounds, main calls the other six functions, and mix_bits() again for all seven: 13 * 20 calls. mix_calls() calls mix_bits() and itself
# for each digit of a number in base 4. Three numbers have one digit, twelve have two and five have three: 2 * (3 + 24 + 15) calls.
awk '$1 == "entry" { entries = $2 } $1 == "return" { returns = $2 } $1 == "instruction" { instructions = $2 }
    END { print (instructions > 5 * entries ? "each" : instructions); print entries, returns == entries ? "returns" : returns }' $TMP/traced
