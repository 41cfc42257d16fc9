#@ what:    the libdtrace library keeps all exported symbols unless its version changes
nm -D --defined-only "$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
