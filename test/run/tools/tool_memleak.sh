#@ what:    memleak.d: what keep() allocated is left, what drop() allocated and freed is 0
#@ needs:   uprobe
"$DTRACE" -s memleak.d -c "$PROGS/leaks" | awk '/`keep/ { who = "keep" } /`drop/ { who = "drop" } / in [0-9]+$/ { print who, $1, $3; who = "other" }' | grep -v other | sort | uniq
"$DTRACE" -s memleak.d -c "$PROGS/leaks" 1001 | grep -c '`keep' || :
