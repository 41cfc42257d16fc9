#@ what:    -h writes upper-case macros and functions for -G with qualified types, or empty macros for version 0
cd "$TMP" || exit 1
echo 'provider my_prov { probe query__start(int, const char *name); probe done(); };' >my.d
$DTRACE -h -s my.d && grep -E '_MY_H|MY_PROV_QUERY|extern void' my.h
