#@ what:    with option amin, names and probe descriptions of lower stability are errors
#@ needs:   syscall host
mkdir "$TMP/lib"
cat >"$TMP/lib/own.d" <<'END'
inline int own_pid = curthread->pid;
#pragma D attributes Stable/Stable/Common own_pid
END
run()
{
    "$DTRACE" -e -x errtags "$@" 2>"$TMP/err"
    echo "status $? $(sed -n 's/.*\(\[D_[A-Z_]*\]\) \("[^"]*"\)\{0,1\}.*/\1 \2/p' "$TMP/err" | sed "s,$TMP/,,; s/ $//")"
}
run -x amin=Stable/Stable/Common -n BEGIN
run -x amin=Stable/Stable/Common -n dtrace:::BEGIN
run -x amin=stable/STABLE -n 'dtrace:::BEGIN { trace(curthread->pid); }'
run -x amin=Stable/Private/Common -n 'dtrace:::BEGIN { trace(curthread->pid); }'
run -x amin=Evolving/Evolving/Common -n 'syscall:::entry'
run -x amin=Evolving/Evolving/Common -n 'syscall::read:entry'
run -x amin=Stable/Stable/Common -n 'dtrace:::BEGIN { trace((struct task_struct *)0); }'
echo libraries
run -L "$TMP/lib" -n 'dtrace:::BEGIN { trace(own_pid); }'
run -L "$TMP/lib" -x amin=Stable/Stable/Common -n 'dtrace:::BEGIN { trace(1); }'
run -L "$TMP/lib" -n '#pragma D option amin=Stable/Stable/Common
dtrace:::BEGIN { trace(own_pid); }'
run -n '#pragma D option amin=Stable/Stable/Common
dtrace:::BEGIN { trace(curpsinfo->pr_pid); }'
echo inlines
run -n '#pragma D option amin=Stable/Stable/Common
inline int mine = curthread->pid; dtrace:::BEGIN { trace(1); }'
run -n '#pragma D option amin=Stable/Stable/Common
dtrace:::BEGIN { trace(mine); } inline int mine = uid;'
