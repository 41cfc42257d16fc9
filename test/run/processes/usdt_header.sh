#@ what:    -h writes a header with an upper-case macro, an is-enabled macro and a function for each probe
cd "$TMP" || exit 1
echo 'provider my_prov { probe query__start(int, const char *name); probe done(); };' >my.d
$DTRACE -h -s my.d && grep -E '_MY_H|MY_PROV_QUERY|extern void' my.h
