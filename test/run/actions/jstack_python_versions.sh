#@ what:    jstack() prints the functions of programs in every installed version of Python from 3.8 to 3.14 as the programs see them
#@ needs:   syscall pythons x86-64
#@ timeout: 120
for minor in 8 9 10 11 12 13 14; do
    for python in python3.$minor ~/.pyenv/versions/3.$minor.*/bin/python3; do
        # Uses the interpreter itself, not a script that starts it: pyenv also has such scripts for versions that are
        # not selected.
        python=$("$python" -c 'import sys; print(sys.executable)' 2>"$TMP/refused") || continue
        "$python" -c 'import ctypes' 2>"$TMP/refused" || continue
        $DTRACE -qn 'syscall::getsid:entry /pid == $target/ { printf("stack\n"); jstack(100); }' \
            -c "$python jstack_python_nest.py $TMP/truth" >"$TMP/out"
        sed -n 's/^ *//; /^stack$/p; /(.*:[0-9]*)$/p; /^\[python/p' "$TMP/out" | diff - "$TMP/truth" >"$TMP/differences" &&
            grep -q '^stack$' "$TMP/truth" || { echo "$python"; cat "$TMP/differences"; }
    done
done
