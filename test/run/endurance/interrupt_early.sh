#@ what:    if a signal arrives while the script is preprocessed, the run ends with the output of END, except for SIGUSR1, which has no effect
#@ needs:   syscall
cat >"$TMP/cpp" <<'END'
#!/bin/sh
kill -"$SIGNAL" $PPID
exec cat
END
chmod +x "$TMP/cpp"
printf '%s\n' 'BEGIN { @ = sum(42); } tick-1s { exit(1); } END { printf("end\n"); }' >"$TMP/a.d"
for SIGNAL in TERM HUP QUIT USR1 USR2 ALRM RTMIN XCPU; do
    export SIGNAL
    $DTRACE -qC -x cpppath="$TMP/cpp" -s "$TMP/a.d" >"$TMP/out" 2>&1
    echo "$SIGNAL $?" $(cat "$TMP/out")
done
