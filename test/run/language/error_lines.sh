#@ what:    an error message gives the line of the last token that the parser read, as dtrace-errors(7), LINES OF A MESSAGE, says
#@ needs:   syscall host
# In the programs, | stands for a newline. Each output line has the error tag, the line number and the program.
cd "$TMP" || exit 1
while IFS= read -r program; do
    printf '%s' "$program" | tr '|' '\n' >t.d
    printf '%s %s\n' "$("$DTRACE" -x errtags -x diag=brief -e -s t.d 2>&1 | sed -n '1s/.*\[\(D_.*\)\] line \([0-9]*\): .*/\1 \2/p')" "$program"
done <<'END'
BEGIN|{|trace(nosuch||);|}|
BEGIN|{|trace(||nosuch);|}|
BEGIN|{|nosuch|(|1|)|;|}|
BEGIN|{|trace(7|/|0|)|;|}|
BEGIN|{|x = 1;|x|=|"a"|;|}|
BEGIN|{|pid|=|5|;|}|
BEGIN|{|pid|++|;|}|
BEGIN|{|trace("a|b");|}|
BEGIN|{|trace('a|b');|}|
BEGIN|{|trace('');|}|
BEGIN|{|x =|;|}|
BEGIN|{|x = 1; y = 2| z = 3;|}|
BEGIN|{|
BEGIN|{
||nosuch:::|{|}|
||BEGIN,|nosuch:::|{|}|
|#frob|BEGIN { }|
|#pragma D option nosuch|BEGIN { }|
#pragma D attributes Stable/Stable/Common nix|BEGIN { }||
BEGIN|{|/* never||
int x;
int x;|
int x;|||
|
END
exit 0
