#@ what:    --shell shows its prompt again after a fault in a clause and after a run that cannot start
$DTRACE -q --shell 2>&1 <<'END' | sed 's/ at BPF pc .*//'
int n;
BEGIN { n = 3; trace(*(int *)0); }
BEGIN { exit(0); }
run
delete 3
delete 2
BEGIN { trace(n); exit(0); }
option cpu=4000
run
option cpu=0
run
END
