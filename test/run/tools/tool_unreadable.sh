#@ what:    tools that show paths list the calls whose path cannot be read, with their errors, and report no fault
#@ needs:   syscall root
for tool in opensnoop statsnoop mountsnoop execsnoop; do
    "$DTRACE" -s $tool.d -c "$PROGS/unreadable" | awk -v tool=$tool '
        /\(unreadable\)/ { rows++; errors += / 14 / || /error 14$/ }
        END { print tool, rows, errors }'
done
