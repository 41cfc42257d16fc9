#@ what:    an unknown rawtp or sdt event matches nothing, and an argument that the event does not have is an error
#@ needs:   root
for program in 'rawtp:sched::nosuch' 'sdt:sched::nosuch' 'sdt:sched:f:sched_switch' 'sdt:syscalls::' \
    'rawtp:sched::sched_process_free { trace(args[1]); }' 'sdt:sched::sched_process_free { trace(args[3]); }'; do
    "$DTRACE" -x errtags -en "$program" 2>&1 | sed -n '1s/.*\(\[D_[A-Z_]*\]\).*/\1/p'
done
"$DTRACE" -en 'rawtp:sched::sched_process_free { trace(args[0]->pid); trace(arg5); }' && echo accepted
