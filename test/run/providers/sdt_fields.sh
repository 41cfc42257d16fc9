#@ what:    fields of sdt events are numbers, char arrays and strings, with the values of the traced program
#@ needs:   root
cat >"$TMP/program" <<'END'
/bin/true & wait $!
echo "fork sh $! 1"
echo "exec /bin/true $!"
kill -CONT $$
echo "signal 18 sh $$"
END
"$DTRACE" -q -c "sh $TMP/program" -o "$TMP/traced" -n '
sdt:sched::sched_process_fork /pid == $target/ { printf("fork %s %d %d\n", args[0], args[3], args[1] == $target); }
sdt:sched::sched_process_exec /ppid == $target/ { printf("exec %s %d\n", args[0], args[1]); }
sdt:signal::signal_generate /pid == $target && args[0] == 18/ { printf("signal %d %s %d\n", args[0], args[3], args[4]); }' >"$TMP/said"
diff <(grep . "$TMP/said") <(grep . "$TMP/traced") && wc -l <"$TMP/said"
