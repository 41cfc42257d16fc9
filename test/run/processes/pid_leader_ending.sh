#@ what:    with -p, functions of a process are traced even if its main thread exits while the trace starts
#@ needs:   uprobe.multi
for after in 10 20 30 40 50 60 70 80 90 100; do
    "$PROGS/leader_gone" $after &
    "$DTRACE" -qn 'pid$target:a.out:in_thread:entry /tid != pid/ { exit(7); }' -p $! | grep .
    echo ${PIPESTATUS[0]}
    kill $!
done
