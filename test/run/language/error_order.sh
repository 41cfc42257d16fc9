#@ what:    if a program has two mistakes, dtrace reports the mistake that dtrace-errors(7), WHICH ERROR COMES FIRST, selects
#@ needs:   syscall host
cd "$TMP" || exit 1
while IFS= read -r program; do
    printf '%s\n' "$program" >t.d
    printf '%-16s %s\n' "$("$DTRACE" -x errtags -e -s t.d 2>&1 | sed -n '1s/.*\[\(D_[A-Z_]*\)\].*/\1/p')" "$program"
done <<'END'
int int x; BEGIN { x = ; }
BEGIN { trace(7 / 0); x = ; }
BEGIN { frob(1); x = ; }
BEGIN { x = ; } BEGIN { trace(7 / 0); }
BEGIN { trace(sizeof(void)); } int int x;
BEGIN { trace(nosuch); } int x; string x;
BEGIN { trace(nosuch); } BEGIN { trace(7 / 0); }
BEGIN { trace(nosuch); frob(1); }
BEGIN /nosuch/ { trace(1 / 0); }
nosuch::: { trace(nosuch); }
nosuch::: { trace(7 / 0); }
BEGIN /execname/ { pid = 1; }
BEGIN /execname/ { trace(nosuch); }
BEGIN { trace(1); commit(1); trace(nosuch); }
BEGIN { trace(1); commit(1); } BEGIN { trace(nosuch); }
BEGIN { @a = sum("x"); trace(nosuch); }
BEGIN { @a = sum("x"); @a = count(); }
BEGIN { @a = sum("x"); @b = lquantize(1, pid, 3); }
BEGIN { printf("%d", "x"); stack(pid); }
BEGIN { stack(pid); printf("%d", "x"); }
BEGIN { exit("x", 1); }
BEGIN { trace(exit("x")); }
BEGIN { pid = "x"; }
BEGIN { 5 = "x"; }
BEGIN { pid = nosuch; }
BEGIN { printa(5); } BEGIN { x = 1; x = "a"; }
END
exit 0
