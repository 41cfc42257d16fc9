#@ what:    libdtrace: its symbols, with their version: what is there stays, or the version changes
nm -D --defined-only "$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
