#@ what:    a damaged .ctf section in an executable is an error only for programs that use symbols of the executable
#@ needs:   ctf objcopy
objcopy --dump-section .ctf="$TMP/whole" "$PROGS/globals_ctf" "$TMP/unused"
head -c 100 "$TMP/whole" >"$TMP/cut"
objcopy --update-section .ctf="$TMP/cut" "$PROGS/globals_ctf" "$TMP/cut_off"
$DTRACE -x errtags -qn 'BEGIN { trace(``counter); exit(0); }' -c "$TMP/cut_off" 2>&1 | head -1 | sed 's,module /[^:]*,module M,'
echo "${PIPESTATUS[0]}"
$DTRACE -qn 'BEGIN { printf("%d\n", 1); exit(0); }' -c "$TMP/cut_off"
