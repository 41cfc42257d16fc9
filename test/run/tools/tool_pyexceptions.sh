#@ what:    pyexceptions.d counts a Python program's own exceptions as often as they are raised
#@ needs:   uprobe python3
cat >"$TMP/own.py" <<'END'
class Own(Exception):
    pass
for i in range(7):
    try:
        raise Own()
    except Own:
        pass
END
"$DTRACE" -s pyexceptions.d -c "/usr/bin/python3 $TMP/own.py" | awk '$1 == "Own" { print $1, $2 }'
