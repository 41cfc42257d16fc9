#@ what:    variables of a program have the values that the program prints: in memory, in registers, thread-local, static, global
#@ needs:   uprobe
line() { grep -n "// $1" ../../progs/locals.c | cut -d : -f 1; }
values='id=%d small=%u negative=%d wide=%d calls=%d text=%s color=%d never=%d thread=%d shared=%d limit=%d len=%u\n'
names='locals->req->id, locals->small, locals->negative, locals->wide, locals->calls, stringof(locals->text), locals->color, locals->never, locals->of_thread, locals->shared, locals->limit, locals->req->header[3].len'
$DTRACE -qn 'pid$target:a.out:locals.c@'"$(line end)"':line { printf("read '"$values"'", '"$names"'); }' \
	-c "$PROGS/locals_plain 5" -o "$TMP/read" >"$TMP/printed"
sed -n 's/^read //p' "$TMP/read" >"$TMP/left"
sed -n 's/^handle //p' "$TMP/printed" | cmp - "$TMP/left" && echo "equal: $(wc -l <"$TMP/left") lines"
