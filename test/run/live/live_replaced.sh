#@ what:    while a service replaces a script of a running program repeatedly, each request is counted once
#@ timeout: 60
. ../service/service.bash
live=$(dirname "$(readlink -f "$DTRACE")")/examples/live/live
mkfifo "$TMP/input"
"$live" --until-end <"$TMP/input" >"$TMP/told" & program=$!
exec 7>"$TMP/input"
until [ -s "$TMP/told" ]; do sleep 0.05; done
text() { # VERSION: odd versions have one clause more, so the compiled objects differ
    cat <<X
#pragma D option quiet
#pragma D option output=$TMP/log
app$program:::request { @all = sum(1); @by[arg0] = count(); }
app$program:::answer /$1 % 2/ { @answers = count(); }
END { printa("all %@d\n", @all); printa("by %@d\n", @by); } // $1
X
}
text 0 | script it
start 7>&-
state it
echo >&7
for version in 1 2 3; do
    text $version | script it
    client reload
done | sed 's/ (.*//' | sort | uniq -c
exec 7>&-
wait $program; echo "the program ends: $?"
stop
grep -v "it: replaced" "$TMP/err"
served=$(sed -n 's/ requests//p' "$TMP/told")
# Only the last version of the script runs END. It prints the counts of all versions together.
awk -v served="$served" '$1 == "all" { all = $2; by = 0 } $1 == "by" { by += $2 } END { print all - served, by - served, (served > 1000 ? "of many" : served) }' "$TMP/log"
