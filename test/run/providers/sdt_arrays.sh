#@ what:    array fields of sdt events are D arrays, and a pattern can match several events
#@ needs:   root
echo '/bin/true & wait $!' >"$TMP/forks"
"$DTRACE" -q -c "sh $TMP/forks" -n '
sdt:sched::sched_process_exit /ppid == $target/ { printf("%s %c %d %d %d\n", args[0], args[0][1], sizeof(args[0]), strlen(args[0]), args[1] == pid);
    printf("%s %d\n", stringof((char *)arg0 + 1), (arg0 & 3) == (arg0 + 4 & 3)); }
sdt:sched::sched_process_ex* /ppid == $target/ { @[probename] = count(); }
END { printa("%s %@d\n", @); }'
