#@ what:    -l lists source line probes of a function; FUNCTION+LINE counts lines from its declaration, and listed names work as descriptions
#@ needs:   uprobe
list() { $DTRACE -ln "pid\$target:a.out:$1" -c "$PROGS/lines_plain 1" | awk 'NR > 1 { print $4, $5 }' | sort; }
declared=$(grep -n 'int factorial' ../../progs/lines.c | cut -d : -f 1)
for description in 'lines.c@factorial+*:line' 'lines.c@factorial+3:line' "factorial:lines.c@$((declared + 4))" 'lin*.c@add+2:line'; do
    list "$description" | awk -v first="$declared" '{ split($2, name, "@"); print $1, name[1], name[2] - first }'
    echo
done
