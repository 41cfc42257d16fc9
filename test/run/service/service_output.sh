#@ what:    the output of each script goes to the file named in its pragma, which SIGHUP opens again, and messages name the script
#@ needs:   profile
. ./service.bash
script file <<X
#pragma D option quiet
#pragma D option output=$TMP/log
BEGIN { printf("begun\n"); } END { printf("end\n"); }
X
script away <<X
#pragma D option quiet
#pragma D option destructive
BEGIN { freopen("$TMP/away"); printf("away\n"); }
X
script here <<'X'
#pragma D option quiet
tick-10ms { printf("here\n"); }
BEGIN { trace(*(int *)0); }
X
start
until [ -s "$TMP/log" ] && [ -s "$TMP/away" ]; do sleep 0.02; done
until_printed here
mv "$TMP/log" "$TMP/log.old"
kill -HUP $service
until [ -e "$TMP/log" ]; do sleep 0.02; done
stop
for file in log.old log away; do
    echo "$file: $(grep . "$TMP/$file")"
done
grep . "$TMP/out" | sort -u
grep -oE '^dtrace: here: error in dt_clause_1' "$TMP/err"
