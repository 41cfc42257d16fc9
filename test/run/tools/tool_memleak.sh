#@ what:    memleak.d shows unfreed bytes of keep(), and 0 for drop(), which frees its memory
#@ needs:   uprobe
"$DTRACE" -s memleak.d -c "$PROGS/leaks" | awk '/`keep/ { who = "keep" } /`drop/ { who = "drop" } / in [0-9]+$/ { print who, $1, $3; who = "other" }' | grep -v other | sort | uniq
"$DTRACE" -s memleak.d -c "$PROGS/leaks" 1001 | grep -c '`keep' || :
