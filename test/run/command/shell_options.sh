#@ what:    --shell accepts options on its command line and at its prompt, and refuses unsuitable options with one line
#@ needs:   host
refused()
{
    $DTRACE --shell "$@" 2>&1 </dev/null
    echo "status $?"
}
refused -n 'BEGIN { }'
refused -e
refused -l
refused -x nosuch
refused -s "/nonexistent.d"
refused -p 0
printf 'option quiet=maybe\noption nosuch\noption quiet\nset strsize=4\nBEGIN { trace("abcdef"); exit(0); }\nrun\n' | $DTRACE --shell 2>&1
printf 'nosuch:a:b:c { trace(1); }\nBEGIN { exit(0); }\nrun\n' | $DTRACE -qZ --shell
printf 'BEGIN { system("true"); exit(0); }\nrun\n' | $DTRACE -q --shell 2>&1
printf 'BEGIN { trace("in a file"); exit(0); }\nshow\nrun\n' | $DTRACE -q -o "$TMP/results" --shell
cat "$TMP/results"
echo
printf 'BEGIN { trace($1); exit(0); }\nrun\n' | $DTRACE -q --shell 5 # $1 is 5, from the command line
