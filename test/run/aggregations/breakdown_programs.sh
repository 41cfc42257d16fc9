#@ what:    the parts of breakdown() add up to the elapsed time with an error below 0.1 % for four real programs, and at most 1 % is "other"
#@ needs:   syscall python3
#@ timeout: 60
missing=
command -v cc >/dev/null || missing="$missing cc"
python3 -c 'import sqlite3, http.server' 2>"$TMP/errors" || missing="$missing python3-with-sqlite3"
[ -z "$missing" ] || { echo "no$missing"; exit 77; }
../../bench/time "$DTRACE" programs | awk -F'|' '$2 ~ /compiler|database|web|interpreter/ { split($2, name, " "); print name[1], $7 ~ /yes/ && $4 + 0 ? "ok" : $0 }'
