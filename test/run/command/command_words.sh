#@ what:    -c splits its command at blanks, quotes and backslashes like a shell, and a hint explains other shell syntax, which does not work
#@ needs:   syscall
export DTRACE_REPRODUCIBLE=1
runs() { $DTRACE -qn BEGIN -c "$1" 2>&1; echo "status $?"; }
echo words >"$TMP/two words"
runs "sh -c \"cat '$TMP/two words'\""
runs "cat $TMP/two\\ words"
runs 'printf "<%s>" a"b c"d "\"x\"" '"'\$1 | *'"' ""'
runs 'echo a | wc'
runs 'echo a && echo b'
runs 'echo $HOME'
runs 'echo "a'
