#@ what:    with too little memory, dtrace prints one error line and exits with status 1
# The test raises the memory limit in steps. The steps are small near the lowest limit with which the program starts,
# because there the C++ library may find no memory for its exception reserve before main(). If the kernel has no memory
# for a perf buffer, the message names the buffer.
begin=$(seq 11000 50 13000) step=2000
[ -n "$DTRACE_GUEST" ] && begin= step=8000
for size in $begin $(seq 8000 $step 60000) 1000000; do
    # With too little memory for the shared libraries, the C library's loader ends, or is killed by SIGSEGV, before the
    # program begins.
    { (ulimit -v "$size" && LD_TRACE_LOADED_OBJECTS=1 $DTRACE); } >/dev/null 2>&1 || continue
    (ulimit -v "$size" && $DTRACE -qn 'BEGIN { @[ustack(), stack()] = count(); exit(0); }' >/dev/null 2>"$TMP/err")
    status=$?
    echo "$status $(cat "$TMP/err")"
done 2>&1 | sed 's/^1 dtrace: could not enable tracing: cannot open .* buffers .*: Cannot allocate memory$/1 dtrace: Memory allocation failure/' | sort | uniq
