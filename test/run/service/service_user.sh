#@ what:    pragma user in a script sets the owner of its output file, and an unknown user is an error of this script only
. ./service.bash
script his <<X
#pragma D option quiet
#pragma D option output=$TMP/log
#pragma D option user=daemon
BEGIN { printf("begun\n"); }
X
script nobodys <<X
#pragma D option output=$TMP/other
#pragma D option user=nosuch
BEGIN { }
X
start
until [ -s "$TMP/log" ]; do sleep 0.02; done
state nobodys
cat "$TMP/err"
stop
stat -c '%U %a' "$TMP/log"
ls "$TMP/other" 2>/dev/null
exit 0
