#@ what:    a lockstat wait has the same duration in all clauses of a probe, also in a program of several BPF functions
#@ needs:   syscall
{
    echo 'uint64_t first;'
    for i in $(seq 60); do
        echo "lockstat:::adaptive-block /pid == \$target/
{
	this->text = strjoin(execname, probename);
	first = first != 0 ? first : args[1];
	@ = sum(args[1] == first && args[1] > 0 && this->text == \"locksadaptive-block\");
}"
    done
    echo 'END { printa("%@d\n", @); }'
} >$TMP/clauses.d
$DTRACE -qs $TMP/clauses.d -c "$PROGS/locks wait 1" | sed '/^$/d'
