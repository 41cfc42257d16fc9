#@ what:    libdtrace.so exports the symbols listed here; the list may change only with the library version
nm -D --defined-only "$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
