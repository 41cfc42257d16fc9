#@ what:    with jstackall, jstack() shows the interpreter's loop before the run of functions that it stands for; ustack() shows no functions of the program
#@ needs:   syscall python3
echo 'import os; (lambda: os.getppid())()' >"$TMP/program.py"
python=$(python3 -c 'import sys; print(sys.executable)')
$DTRACE -x jstackall -qn 'syscall::getppid:entry /pid == $target/ { jstack(); printf("native\n"); ustack(); }' \
    -c "$python $TMP/program.py" >"$TMP/out"
grep -o '^native\|_PyEval_EvalFrameDefault\|[<>a-z]* (.*program.py:1)' "$TMP/out" | sed 's/(.*/(program.py:1)/'
