#@ what:    jstack() prints the functions, files and lines of a Python program as the program itself sees them
#@ needs:   syscall python3 x86-64
python=$(python3 -c 'import sys; print(sys.executable)')
$DTRACE -qn 'syscall::getsid:entry /pid == $target/ { printf("stack\n"); jstack(100); }' \
    -c "$python jstack_python_nest.py $TMP/truth" >"$TMP/out"
sed -n 's/^ *//; /^stack$/p; /(.*:[0-9]*)$/p; /^\[python/p' "$TMP/out" | diff - "$TMP/truth" && grep -c '^stack$' "$TMP/truth"
