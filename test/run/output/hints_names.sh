#@ what:    the hint for an unknown name suggests close existing names or D's equivalent
unset DTRACE_REPRODUCIBLE
while read -r statement; do
    printf '%s\t' "$statement"
    $DTRACE -en "BEGIN { $statement }" 2>&1 | sed -n 's/^ *= //p'
done <<'E'
trace(execnam);
trace(comm);
trace(nsecs);
trace(curpsinfo->pr_psarg);
@ = quantise(1);
@ = hist(1);
printff("x");
trace(str(1));
@[ustack] = count();
self->path = 1; trace(self->pth);
count();
printf('hello');
trace(execname == 'bash');
int x; x = 1;
@x = quantize(1) by execname;
E
