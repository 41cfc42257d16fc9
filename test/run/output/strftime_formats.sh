#@ what:    JSON lines and CSV contain the text of strftime() as a string
export TZ=UTC
for format in jsonl csv; do
	$DTRACE -x format=$format -qn 'BEGIN { @[strftime("%F %T", 1000000000s)] = sum(7); exit(0); }' | tr -d '\r' |
		grep -o '[^,{]*2001-09-09 01:46:40.*7'
done
$DTRACE -x format=jsonl -qn 'BEGIN { trace(strftime("%f", 1us)); printf("%s", strftime("%j", 0)); exit(0); }' | grep -o '"data":.*'
