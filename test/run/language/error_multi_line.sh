#@ what:    an error in a command-line program of several lines names the place and shows that line only
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
