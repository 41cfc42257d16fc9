#@ what:    tools that show paths also show calls whose path cannot be read, with the error, and print no faults
#@ needs:   syscall root
for tool in opensnoop statsnoop mountsnoop execsnoop; do
    "$DTRACE" -s $tool.d -c "$PROGS/unreadable" | awk -v tool=$tool '
        /\(unreadable\)/ { rows++; errors += / 14 / || /error 14$/ }
        END { print tool, rows, errors }'
done
