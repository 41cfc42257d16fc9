#@ what:    probe descriptions of one clause share its compiled code unless argument types differ, and a clause runs twice if two descriptions match
sends()
{
    $DTRACE -e -S -x disasm=2 -n "$1" 2>&1 | grep -c 'call bpf_perf_event_output'
}
echo "two: $(sends 'syscall::getpid:entry, syscall::getuid:entry { trace(probefunc); }')"
echo "twice: $(sends 'syscall::getpid:entry, syscall::getpid:entry { trace(probefunc); }')"
echo "several: $(sends 'syscall::getpid:entry, syscall::getuid:entry, syscall::getpid:entry, syscall::getgid:entry { trace(arg0); }')"
# In the next line, args[0] is "int fd" for both probes. In the line after it, args[0] is "int fd" for one probe and
# "const char *" for the other.
echo "same argument: $(sends 'syscall::read:entry, syscall::write:entry { trace(args[0]); }')"
echo "another type: $(sends 'syscall::read:entry, syscall::chdir:entry { trace(args[0]); }')"

# The four probe descriptions are the statements 0 to 3; write(2) matches the descriptions 1 and 3.
trace()
{
    $DTRACE -q -c "$PROGS/appends $TMP/file 1" -n "
syscall::getuid:entry, syscall::write:entry, syscall::getgid:entry, syscall::write:entry
/pid == \$target && arg0 == 3/
{
    $1
}" 2>&1
}
trace 'printf("%s: %d\n", probefunc, epid & 0xffffffff);'
trace 'trace(1 / (arg0 - 3));' | grep -o 'error in dt_clause_[0-9]*'
