#@ what:    --tools lists each tool with its purpose, and -s TOOL finds a tool by name or says where it searched
#@ needs:   root
cd "$TMP" || exit 1
tools=$(dirname "$(readlink -f "$DTRACE")")/tools
"$DTRACE" --tools | awk 'NF < 4 || $1 !~ /\.d$/' # prints entries without a purpose or with a wrong name
"$DTRACE" --tools | awk '{ print $1 }' | diff - <(ls "$tools")
"$DTRACE" --tools | grep '^opensnoop.d'
"$DTRACE" -e -s opensnoop.d && "$DTRACE" -e -s opensnoop && echo found
"$DTRACE" -e -s ./opensnoop.d 2>&1
"$DTRACE" -e -s nosuch.d 2>&1 | sed "s|in .* (|in TOOLS (|"
echo 'BEGIN { trace("mine\n"); exit(0); }' >opensnoop.d
"$DTRACE" -qs opensnoop.d
"$DTRACE" --tools -l 2>&1
"$DTRACE" statsnoop.d 2>&1 | tail -n 1
true
