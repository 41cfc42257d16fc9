#@ what:    buffer sizes of 0 and a memory limit too small for the trace are errors, and with nspec=0 speculation() returns 0
for option in bufsize=0 aggsize=0 dynvarsize=0 memlimit=1; do
	$DTRACE -x $option -qn 'BEGIN { @[1] = count(); self->x = 1; a[1] = 1; printf("on\n"); exit(0); }' 2>&1
	echo "$option $?"
done
$DTRACE -x nspec=0 -qn 'BEGIN { printf("%d %d\n", speculation(), speculation()); exit(0); }' 2>/dev/null
