#@ what:    sizes without room for one element, a memory limit below what is needed, and no speculation
for option in aggsize=0 aggsize=8 dynvarsize=0 dynvarsize=15 memlimit=1; do
	$DTRACE -x $option -qn 'BEGIN { @[1] = count(); self->x = 1; a[1] = 1; exit(0); }' 2>&1
	echo "$option $?"
done
$DTRACE -x nspec=0 -qn 'BEGIN { printf("%d %d\n", speculation(), speculation()); exit(0); }' 2>/dev/null
