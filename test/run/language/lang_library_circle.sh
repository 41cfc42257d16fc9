#@ what:    two library files that depend on each other are an error
#@ status:  1
mkdir "$TMP/lib"
echo '#pragma D depends_on library two.d' >"$TMP/lib/one.d"
echo '#pragma D depends_on library one.d' >"$TMP/lib/two.d"
"$DTRACE" -x errtags -L "$TMP/lib" -n 'BEGIN{exit(0)}' 2>"$TMP/err"
status=$?
sed "s,$TMP/,,g" "$TMP/err"
exit $status
