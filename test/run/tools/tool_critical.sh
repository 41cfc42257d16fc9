#@ what:    critical.d shows the chain of waits of a program, which waits for a pipe's writer, which waits for a timer
#@ needs:   syscall
cp "$(command -v sort)" "$TMP/asks" # a copy of sort under a name that no other process has
"$DTRACE" -s critical.d asks -c "sh -c 'sleep 0.3 | $TMP/asks'" | awk '$2 + 0 > 250000000 { $1 = $2 = ""; print }' | sed 's/^ *//'
# Runs the tool for one program, the first argument. The second argument is the minimum length of the waits to show.
"$DTRACE" -s critical.d ch_a 10 -c "$PROGS/chains chain 20" | awk '/ch_a|ch_c/ { $1 = $2 = ""; print }' | sed 's/^ *//'
