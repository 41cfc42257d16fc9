#@ what:    -l lists the USDT probes of a process, and -lv their argument types
#@ needs:   uprobe
$DTRACE -ln 'shop$target:::' -c "$PROGS/market 1" | sed 's/^ *[0-9]* *shop[0-9]*//; s/^ *ID/ID/; s/  */ /g' | sort
$DTRACE -lvn 'shop$target:::close-day' -c "$PROGS/market 1" | grep 'args\[' | sed 's/^[[:space:]]*//; s/[[:space:]][[:space:]]*/ /g'
