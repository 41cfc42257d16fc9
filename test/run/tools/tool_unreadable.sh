#@ what:    tools that show paths list calls with unreadable paths and their errors, without faults
#@ needs:   syscall root
for tool in opensnoop statsnoop mountsnoop execsnoop; do
    "$DTRACE" -s $tool.d -c "$PROGS/unreadable" | awk -v tool=$tool '
        /\(unreadable\)/ { rows++; errors += / 14 / || /error 14$/ }
        END { print tool, rows, errors }'
done
