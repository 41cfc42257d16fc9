#@ what:    a missing or damaged archive for -x ctfpath is reported with one error line and status 1
#@ needs:   ctf
"$PROGS/make_ctf" "$TMP/types.ctfa"
head -c 300 "$TMP/types.ctfa" >"$TMP/short.ctfa"
head -c 5000 /dev/zero >"$TMP/zero.ctfa"
for file in missing short zero; do
    $DTRACE -x ctfpath="$TMP/$file.ctfa" -qn 'BEGIN { exit(0); }' 2>&1 | sed "s,$TMP/,,"
    echo "${PIPESTATUS[0]}"
done
