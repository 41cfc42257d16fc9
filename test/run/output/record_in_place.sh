#@ what:    the compiled program writes a record directly into the output buffer, and zeros only the padding between its values
zeroed()
{
    $DTRACE -e -S -x disasm=2 -n "$1" 2>&1 | grep -c 'stdw .*%fp-[0-9]*\], 0$'
}
echo "two numbers of four bytes: $(zeroed 'proc:::start { trace(pid); trace(tid); }')"
echo "a number of eight: $(zeroed 'proc:::start { trace(timestamp); }')"
echo "a number of four and four bytes behind it: $(zeroed 'proc:::start { trace(pid); }')"
echo "a thread's name: $(zeroed 'proc:::start { trace(execname); }')"
$DTRACE -qn 'BEGIN { printf("%d %d %d %s %d\n", 1, 2, (char)3, "four", 5); exit(0); }'
