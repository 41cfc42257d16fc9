#@ what:    an error inside an inline or a translator is reported where it is used, followed by a note with the definition
#@ needs:   syscall
unset DTRACE_REPRODUCIBLE # with this variable, dtrace prints only the first line of a message
cd "$TMP" || exit 1
cat >inline.d <<'END'
int a[4];
inline int element[int N] =
	a[N] + 1;
inline int next[int N] = element[N + 1];

BEGIN
{
	trace(next[2]);
	trace(element[0] +
	    next[3]);
}
END
cat >translator.d <<'END'
int a[4];
struct pair { int first; int second; };
translator struct pair < int P > {
	first = 1;
	second = a[P];
};
BEGIN { trace(xlate<struct pair>(3).second); }
BEGIN { trace(xlate<struct pair>(4).first + xlate<struct pair>(4).second); }
END
"$DTRACE" -e -s inline.d 2>&1
"$DTRACE" -e -s translator.d 2>&1
"$DTRACE" -x diag=brief -e -s translator.d 2>&1
"$DTRACE" -e -n 'inline int half[int D] = 10 / D; BEGIN { trace(half[0]); }' 2>&1
exit 0
