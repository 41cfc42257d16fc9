#@ what:    control characters in traced strings are escaped on a terminal and unchanged in files
#@ needs:   syscall
unset DTRACE_REPRODUCIBLE
cat >"$TMP/a.d" <<'END'
BEGIN {
    printf("printf %s|%c|%-8s|\n", $$1, 7, "\t");
    trace($$1);
    printf("\n");
    @[$$1] = sum(7);
    printf("%s\n", "\302\2331m caf\303\251 \342\200\256 \377");
    exit(0);
}
END
evil=$(printf '\033]0;root\a\nforged')
show() { sed 's/ *$//' | tr -d '\r' | grep . | cat -v; }
echo terminal
script -qec "$DTRACE -q -s $TMP/a.d '$evil'" /dev/null </dev/null | show
echo off
script -qec "$DTRACE -q -x escape=off -s $TMP/a.d '$evil'" /dev/null </dev/null | show | head -n 1
echo file
$DTRACE -q -s "$TMP/a.d" "$evil" | head -n 1 | show
echo on
$DTRACE -q -x escape=on -s "$TMP/a.d" "$evil" | show | head -n 1
