#@ what:    if two tracers trace a process whose main thread has exited, each of them continues after the other has ended
#@ needs:   uprobe.multi
"$DTRACE" -qn 'pid$target:a.out:in_thread:entry { printf("%d\n", pid); }' -x switchrate=10hz \
    -c "$PROGS/leader_gone" >"$TMP/calls" &
until pid=$(grep -m 1 . "$TMP/calls"); do sleep 0.02; done
"$DTRACE" -qn "pid$pid:a.out:in_thread:entry { exit(7); }" | grep .
echo ${PIPESTATUS[0]}
before=$(wc -l <"$TMP/calls")
for ((i = 0; i < 100 && $(wc -l <"$TMP/calls") < before + 5; i++)); do sleep 0.1; done
(($(wc -l <"$TMP/calls") >= before + 5)) && echo traced on
kill $!
wait
