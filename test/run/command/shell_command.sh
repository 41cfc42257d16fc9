#@ what:    --shell -c starts the command again for each run, and kills the command when the run ends
#@ needs:   syscall
$DTRACE -q --shell -c "$PROGS/writes 3 10" <<'END'
syscall::write:entry /pid == $target/ { @ = count(); }
run
run
END
