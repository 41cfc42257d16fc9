#@ what:    a newline in an argument, path or name does not break a row of a tool's output into two
printf '#!/bin/sh\n/bin/echo "one\ntwo" >/dev/null\ncat "/tmp/no\nsuch" 2>/dev/null\n' >"$TMP/work"
sed -i 's/\\n/\n/g' "$TMP/work"
"$DTRACE" -s execsnoop.d -c "sh $TMP/work" | grep -o 'one.*two'
"$DTRACE" -s opensnoop.d -c "sh $TMP/work" | grep -o '/tmp/no.*'
for tool in $(grep -L 'option escape' ../../../tools/*.d); do basename $tool; done
