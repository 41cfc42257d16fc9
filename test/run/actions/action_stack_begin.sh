#@ what:    stacks in BEGIN and END contain no frames of the tracer itself
out=$($DTRACE -qn 'BEGIN { stack(); printf("%d\n", stackdepth > 0); exit(0); } END { stack(); printf("%d\n", stackdepth > 0); }')
echo "$(grep -c bpf <<<"$out") $(grep -c '^1$' <<<"$out")"
