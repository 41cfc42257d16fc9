#@ what:    with option jstackall, jstack() prints the interpreter's loop before the Python functions that this loop executes; ustack() prints no Python functions
#@ needs:   syscall python3
echo 'import os; (lambda: os.getppid())()' >"$TMP/program.py"
python=$(python3 -c 'import sys; print(sys.executable)')
$DTRACE -x jstackall -qn 'syscall::getppid:entry /pid == $target/ { jstack(); printf("native\n"); ustack(); }' \
    -c "$python $TMP/program.py" >"$TMP/out"
grep -o '^native\|_PyEval_EvalFrameDefault\|[<>a-z]* (.*program.py:1)' "$TMP/out" | sed 's/(.*/(program.py:1)/'
