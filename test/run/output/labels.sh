#@ what:    -x labels adds labels to JSON records and aggregations and to journal entries, and refuses malformed lists
#@ needs:   python3
program='BEGIN { trace(1); @["key"] = sum(7); printa(@); exit(0); }'
$DTRACE -x format=jsonl -x labels='team=web,env="a b",none=' -qn "$program" | grep -o '"type":"[a-z]*"\|"labels".*'
python3 journal_reader.py stay "$TMP/socket" $DTRACE -o "$TMP/socket" -x format=journal -x labels=team=web,Env_2=x -qn "$program" | grep -o '"DTRACE_LABEL[^,]*'
for wrong in team =web 1a=b a=b, a=b,,c=d a=b,a=c; do $DTRACE -x labels=$wrong -qn 'BEGIN { exit(0); }' 2>&1; done
true
