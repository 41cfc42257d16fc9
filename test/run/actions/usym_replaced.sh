#@ what:    usym() uses the original file of an ended program if it was renamed or removed; if it was overwritten, usym() prints addresses
#@ needs:   syscall
cat >"$TMP/do" <<'DO'
mkfifo "$3/input"
"$1" 0 <"$3/input" &
exec 3>"$3/input"
until [ -n "$(find /proc/$PPID/fd -lname "$1" 2>/dev/null)" ]; do sleep 0.02; done # until the tracer holds the program file open
echo >&3
wait
rm "$3/input"
DO
trace() {
    "$2" "$PROGS/image_one" "$TMP/program"
    "$2" "$PROGS/image_two" "$TMP/other"
    (cat "$TMP/do" && echo "$1") >"$TMP/all"
    $DTRACE -qn 'syscall::getppid:entry /execname == "program" && progenyof($target)/ { @[usym(uregs[R_PC]), ufunc(uregs[R_PC])] = count(); }' \
        -c "bash $TMP/all $TMP/program $TMP/other $TMP" | grep .
}
without_id() { objcopy --remove-section .note.gnu.build-id "$1" "$2"; }
for copy in cp without_id; do
    trace 'mv "$2" "$1"' $copy
    trace 'rm "$1"' $copy
    trace 'cat "$2" >"$1"' $copy | sed 's/0x[0-9a-f]*/ADDRESS/g'
done
