#@ what:    breakdown() of a compiler, a database, a web server under load and an interpreter: the parts are the time to 0.1 %, and 1 % at most is other
#@ needs:   syscall python3
#@ timeout: 60
missing=
command -v cc >/dev/null || missing="$missing cc"
python3 -c 'import sqlite3, http.server' 2>"$TMP/errors" || missing="$missing python3-with-sqlite3"
[ -z "$missing" ] || { echo "no$missing"; exit 77; }
../../bench/time "$DTRACE" programs | awk -F'|' '$2 ~ /compiler|database|web|interpreter/ { split($2, name, " "); print name[1], $7 ~ /yes/ && $4 + 0 ? "ok" : $0 }'
