#@ what:    proc:::exit fires once for a process with several threads, when the last thread exits, with the final status
#@ needs:   syscall
for mode in alone leader last group exec signal together fork; do
    printf '%s: ' $mode
    "$DTRACE" -qn 'syscall::getppid:entry /pid == $target/ { calls++; }
proc:::exit /pid == $target/ { exits++; printf("exit %d after %d calls, reason %d, status %d", exits, calls, args[0], curpsinfo->pr_wstat); }' \
        -c "$PROGS/process_end $mode"
    told=$(bash -c '"$0" "$1"; echo $?' "$PROGS/process_end" $mode 2>/dev/null)
    [ $told -gt 128 ] && echo " = $((told - 128))" || echo " = $((told << 8))" # wait(2): a signal, or a status in the second byte
done | grep .
