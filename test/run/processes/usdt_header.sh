#@ what:    -h: macros in upper case, functions by the names that -G looks for, types with their qualifiers; empty macros for version 0
cd "$TMP" || exit 1
echo 'provider my_prov { probe query__start(int, const char *name); probe done(); };' >my.d
$DTRACE -h -s my.d && grep -E '_MY_H|MY_PROV_QUERY|extern void' my.h
