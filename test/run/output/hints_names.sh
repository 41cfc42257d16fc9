#@ what:    for an unknown name, the hint suggests a similar name or the name that D uses for it
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
