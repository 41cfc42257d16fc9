#@ what:    bashreadline.d shows lines that a user types into bash, and no lines that bash reads from a file
#@ needs:   uprobe
cd "$TMP" || exit 1
mkfifo typed
echo 'echo from a file' >file
script -qc 'echo $$ >pid; exec bash --norc --noprofile -i' /dev/null <typed >/dev/null 2>&1 &
exec 3>typed
until [[ -s pid ]] && grep -q bash "/proc/$(cat pid)/comm"; do sleep 0.05; done
"$DTRACE" -x switchrate=10ms -s bashreadline.d -p "$(cat pid)" >out &
until grep -qs LINE out; do sleep 0.05; done
printf 'echo being typed when tracing begins\ntrue one\n. ./file\nexit\n' >&3
wait
awk -v pid="$(cat pid)" 'NR > 1 && $2 == pid { $1 = $2 = ""; print } /lines/' out
