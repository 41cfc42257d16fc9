#@ what:    END clauses print all their records even if they are larger than the buffer or one raises a fault
clauses=
for i in {1..20}; do clauses+="END { printf(\"$i %s\\n\", s); } "; done
$DTRACE -b 4k -qn "BEGIN { s = \"text\"; exit(3); } $clauses END { trace(*(int *)0); } ERROR { printf(\"error\\n\"); }" 2>&1 | cut -c1-10
echo "${PIPESTATUS[0]}"
