#@ what:    a tool with an interval and a count ends after this number of reports and prints nothing twice
#@ needs:   root
for tool in syscount cachestat filetop iotop pagefaults udptop; do
    $DTRACE -s $tool 1 1 2>&1 | grep -c COMMAND | sed "s/^/$tool /" &
done | sort
