#@ what:    locals has the right values in each inlined copy of a function, in optimized and unoptimized programs
#@ needs:   uprobe
scale=$(grep -n '// scale' ../../progs/locals.c | cut -d : -f 1)
for program in locals locals_plain; do
	$DTRACE -qn 'pid$target:a.out:locals.c@'"$scale"':line { printf("%d %d\n", locals->number, locals->factor); }' \
		-c "$PROGS/$program 3" -o "$TMP/$program" >/dev/null
	# the round's request has the id 1 or 2; each turn of the loop calls scale(2 * i + id, 3), then scale(i, 5)
	awk 'BEGIN { for (round = 0; round < 3; round++) for (i = 0; i < 3; i++) { n = 2 * i + round % 2 + 1; print n, 3; print i, 5 } }' >"$TMP/expected"
	grep . "$TMP/$program" | cmp - "$TMP/expected" && echo "$program: equal"
done
