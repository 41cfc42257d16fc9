#@ what:    an error in a library file is reported with file and line, even if the program does not use the library
mkdir "$TMP/lib"
printf 'inline int fine = 1;\ninline int bad = nosuch + 1;\n' >"$TMP/lib/broken.d"
echo 'BEGIN { exit(0); }' >"$TMP/prog.d"
tell() { "$DTRACE" -x errtags -L "$TMP/lib" "$@" >"$TMP/out" 2>"$TMP/err"; echo "status $?"; sed "s,$TMP/,,g" "$TMP/err"; }
tell -n 'BEGIN{exit(0)}'
tell -s "$TMP/prog.d"
tell -x nolibs -qn 'BEGIN { exit(3); }'
