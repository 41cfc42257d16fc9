#@ what:    a tool that reports by the second ends by itself after as many reports as are asked for, and says nothing twice
#@ needs:   root
for tool in syscount cachestat filetop iotop pagefaults udptop; do
    $DTRACE -s $tool 1 1 2>&1 | grep -c COMMAND | sed "s/^/$tool /" &
done | sort
