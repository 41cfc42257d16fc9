#@ what:    critical.d shows the wait chain of a program: its pipe's writer, and that writer's timer
#@ needs:   syscall
cp "$(command -v sort)" "$TMP/asks" # whoever else sorts has another name
"$DTRACE" -s critical.d asks -c "sh -c 'sleep 0.3 | $TMP/asks'" | awk '$2 + 0 > 250000000 { $1 = $2 = ""; print }' | sed 's/^ *//'
# Of a chain, and waits of some length alone.
"$DTRACE" -s critical.d ch_a 10 -c "$PROGS/chains chain 20" | awk '/ch_a|ch_c/ { $1 = $2 = ""; print }' | sed 's/^ *//'
