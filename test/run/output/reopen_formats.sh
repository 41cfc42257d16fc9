#@ what:    SIGHUP closes the -o file and starts a new complete file of that name, in each format and after freopen()
#@ needs:   profile
set -m
log=$TMP/log
reopened() # starts a run, and renames its file after BEGIN has printed
{
    (trap '' HUP && exec $DTRACE -o "$log" "$@" 2>/dev/null) &
    until [ -s "$log" ]; do sleep 0.02; done
    mv "$log" "$log.old"
    kill -HUP $!
    until [ ${written:--e} "$log" ]; do sleep 0.02; done
    kill -TERM $!
    wait $!
    echo "status $?"
    for file in "$log.old" "$log"; do
        echo "- file"
        tr -d '\r' <"$file" | sed -E 's/^(clause.),[0-9]+,[0-9]+,/\1,NS,CPU,/; s/"ts.*("probe)/\1/; s/ +/ /g; /^$/d' | uniq
    done
    rm "$log"
}
for format in text csv jsonl; do
    reopened -x format=$format -n 'BEGIN, END { trace(n++); @a = count(); }'
done
written=-s reopened -x format=csv -n 'tick-20ms { trace(1); }'
reopened -wqn 'BEGIN { printf("begun\n"); } BEGIN { freopen("'"$TMP/other"'"); } END { freopen(""); printf("end\n"); }'
# If the terminal of a run closes, the run also gets SIGHUP, and then ends.
script -qfec "exec $DTRACE -o '$log' -qn 'BEGIN { printf(\"begun\n\"); } END { printf(\"end\n\"); }'" /dev/null >/dev/null 2>&1 &
until [ -s "$log" ]; do sleep 0.02; done
disown
kill -KILL $!
until grep -q end "$log"; do sleep 0.02; done
grep . "$log"
