#@ what:    memleak.d counts each successful allocation of the C library once, and memory mappings only with an option
#@ needs:   uprobe
trace() { "$DTRACE" -s memleak.d -c "$PROGS/aligned" "$@"; }
trace 1 >"$TMP/out"
grep '^kept' "$TMP/out"
awk '/`keep/ { mine = 1 } / in [0-9]+$/ { if (mine) { bytes += $1; count += $3 } mine = 0 } END { print "kept", bytes, "in", count }' "$TMP/out"
grep -c '`fail' "$TMP/out" || :
grep -c '`map' "$TMP/out" || :
trace 1 mmap | awk '/`map/ { mine = 1 } / in [0-9]+$/ { if (mine && $1 != 0) print "mapped", $1, "in", $3; mine = 0 }'
