#@ what:    strftime() prints each conversion as Python does, in a time zone that is not UTC
#@ needs:   python3
export TZ=ABC-5:45
conversions='a A b B c C d D e F g G h H I j k l m M p P r R s S t T u U V w W x X y Y z Z %'
for c in $conversions -d _H ^a 06Y 10F Ey Od; do
	for seconds in 0 951782399 1735689599; do
		printf 'printf("%%s|%%s|\\n", "%s %s", strftime("%%%s", %ss)); ' "$c" $seconds "$c" $seconds
	done
done >"$TMP/calls"
$DTRACE -qn "BEGIN { $(cat "$TMP/calls") exit(0); }" >"$TMP/times"
python3 - "$TMP/times" <<'E'
import sys, time

wrong = count = 0
for line in open(sys.argv[1]):
    if not line.strip():
        continue
    head, shown, _ = line.split('|')
    conversion, seconds = head.split(' ')
    expected = time.strftime('%' + conversion, time.localtime(int(seconds)))
    count += 1
    if shown != expected:
        wrong += 1
        print(head, repr(shown), repr(expected))
print(count, 'times,', wrong, 'wrong')
E
