#@ what:    --shell accepts clauses of several lines, shows and deletes them, and rejects clauses that do not compile
$DTRACE -q --shell 2>&1 <<'END'
inline int N = 41;   BEGIN
/N == 41/
{
	trace(N + 1); /* } */
	exit(0);
}
END { trace(nosuch); }
delete 1
show
run
delete 3
delete 2
show
delete all
show
run
END
echo "status $?"
printf 'BEGIN { trace(7); exit(0); }\nrun' | $DTRACE -q --shell
echo "status $?"
printf 'BEGIN { trace(7)' | $DTRACE -q --shell 2>&1
echo "status $?"
