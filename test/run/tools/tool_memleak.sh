#@ what:    memleak.d shows the bytes that a function allocates and does not free, and 0 for a function that frees its memory
#@ needs:   uprobe
"$DTRACE" -s memleak.d -c "$PROGS/leaks" | awk '/`keep/ { who = "keep" } /`drop/ { who = "drop" } / in [0-9]+$/ { print who, $1, $3; who = "other" }' | grep -v other | sort | uniq
"$DTRACE" -s memleak.d -c "$PROGS/leaks" 1001 | grep -c '`keep' || :
