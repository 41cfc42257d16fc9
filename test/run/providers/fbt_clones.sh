#@ what:    fbt finds a function that the compiler replaced by a clone under its source name, with a note, and rawfbt under the clone's name
#@ needs:   guest kprobe
mkdir -p $TMP/t && mount -t tracefs tracefs $TMP/t
clone=$(awk '$2 == "" { print $1 }' $TMP/t/available_filter_functions | grep '^finish_task_switch\.')
$DTRACE -lvn 'fbt::finish_task_switch:entry' | sed -n "s/$clone/CLONE/; s/.*\(finish_task_switch entry\)/\1/p; /args.0.:/p; /compiler/p"
$DTRACE -lvn "rawfbt::$clone:return" | sed -n "s/.*$clone/CLONE/p; /args/p"
$DTRACE -qn "int a, b; fbt::finish_task_switch:entry { @a = count(); a = 1; } rawfbt::$clone:entry { @b = count(); b = 1; }
    tick-100ms /a && b/ { exit(0); } END { printa(\"%@d\n\", @a); printa(\"%@d\n\", @b); }" | awk 'NF { print ($1 > 0) }'
