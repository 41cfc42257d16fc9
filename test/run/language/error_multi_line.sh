#@ what:    an error in an -n program of several lines gives line and column, and shows only that line
$DTRACE -n 'BEGIN
{
	trace(1);
	trace(nosuch);
	exit("text");
}' 2>"$TMP/first"
echo "status $?"
cat "$TMP/first"
echo "without the reproducible mode:"
DTRACE_REPRODUCIBLE= $DTRACE -x errtags -n 'BEGIN
{
	trace(nosuch);
}' 2>&1
exit 0
