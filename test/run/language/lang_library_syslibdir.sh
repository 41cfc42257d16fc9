#@ what:    option syslibdir replaces the built-in library and is loaded before the libraries of -L; with option nolibs, neither is loaded
mkdir "$TMP/sys" "$TMP/lib"
echo 'inline int base = 6;' >"$TMP/sys/base.d"
echo 'inline int more = base * 7;' >"$TMP/lib/more.d"
try() { "$DTRACE" -q -L "$TMP/lib" -x syslibdir="$TMP/sys" "$@" 2>&1 | grep -oE 'failed to resolve.*|^[0-9]+'; }
try -n 'BEGIN { printf("%d\n", more); exit(0); }'
try -n 'BEGIN { trace(curpsinfo->pr_pid); exit(0); }'
try -x nolibs -n 'BEGIN { trace(base); exit(0); }'
