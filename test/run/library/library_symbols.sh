#@ what:    libdtrace.so exports exactly the symbols in the test's expected output; another list needs another library version
nm -D --defined-only "$(dirname "$(readlink -f "$DTRACE")")/libdtrace.so" | awk '$2 != "A" { print $3 }' | LC_ALL=C sort
