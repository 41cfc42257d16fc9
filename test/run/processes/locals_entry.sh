#@ what:    at a function's entry, parameters have the values that the caller passes, although unoptimized code stores them later
#@ needs:   uprobe
for program in locals locals_plain; do
	$DTRACE -qn 'pid$target:a.out:sum_of:entry { printf("'$program' %d %d %d\n", locals->both.second, locals->more, args->more); }' \
		-c "$PROGS/$program 3" | grep "^$program"
done
