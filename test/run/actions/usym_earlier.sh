#@ what:    usym() names an address of a program that started before the trace, was replaced on disk, and ended before printing
#@ needs:   syscall
cp "$PROGS/image_one" "$TMP/program"
mkfifo "$TMP/input"
exec 3<>"$TMP/input"
"$TMP/program" 0 <&3 &
program=$!
until [[ $(readlink /proc/$program/exe) == */program ]]; do sleep 0.02; done
$DTRACE -qn "syscall::getppid:entry /pid == $program/ { @[usym(uregs[R_PC])] = count(); }" >"$TMP/out" &
tracer=$!
until [ -n "$(find /proc/$tracer/fd -lname "$TMP/program" 2>/dev/null)" ]; do sleep 0.02; done
cp "$PROGS/image_two" "$TMP/other"
mv "$TMP/other" "$TMP/program"
echo >&3
wait $program
kill $tracer
wait $tracer
grep . "$TMP/out"
