#@ what:    each option alone and each pair of conflicting options gives the documented exit status and first output line
#@ needs:   host
run()
{
    timeout 300 $DTRACE "$@" >"$TMP/out" 2>"$TMP/err" </dev/null
    echo "$*: $? $(cat "$TMP/err" "$TMP/out" | head -n 1)"
}
export DTRACE_ANONYMOUS=$TMP
cd "$TMP" && echo 'BEGIN { exit(0); }' >s.d
for option in -a -A -C -e -F -H -q -S -v -w -Z -32 -64 '-b 1m' '-D N=1' '-I /tmp' '-L /nonexistent' '-U N' '-x quiet' '-X t' '-o f'; do
    run -e $option
done
for option in '-c true' "-p $$" '-f f' '-m m' '-P p' '-i 1' '-s s.d' '-n BEGIN'; do
    run -eZ $option
done | sed "s/ $$/ PID/"
for mode in -B -G -h --help --doc --opt --nosuch --quiet=1 --top; do
    run $mode
done
for pair in '-l -V' '-G -h' '-G -l' '-h -V' '-h -l' '-G -V' '-l --doctor' '-B -l' '-B -o f' '-G -h -l' '-h -s s.d -s s.d' '-h -n BEGIN' '-x' '-Q' '-31'; do
    run $pair
done
