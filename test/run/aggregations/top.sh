#@ what:    --top prints the largest aggregation entries every second, limited to the terminal's size, and all entries at exit
#@ needs:   profile host
unset DTRACE_REPRODUCIBLE
program='BEGIN { @["little"] = sum(1); @["much"] = sum(30); @["some"] = sum(20); } tick-2500ms { exit(0); }'
$DTRACE -x top -qn "$program" | tr -s ' ' | sed '/^ *$/d' | sed -n '1,3p;$p'
script -qec "stty rows 3 cols 30; $DTRACE --top -qn '$program'" /dev/null >"$TMP/screen"
tr -d '\r' <"$TMP/screen" | sed "s/$(printf '\033')\[H$(printf '\033')\[2J/screen\n/" | tr -s ' ' | sed -n '/screen/,$p' | sed '/^ *$/d' | sed -n '1,3p;$p'
$DTRACE --top -x format=folded -qn "$program" 2>&1
echo "status $?"
