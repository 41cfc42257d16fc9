#@ what:    --shell -c: each run starts the command anew, and ends with it
#@ needs:   syscall
$DTRACE -q --shell -c "$PROGS/writes 3 10" <<'END'
syscall::write:entry /pid == $target/ { @ = count(); }
run
run
END
