#@ what:    all examples of dtrace-tools(7) compile, and each tool has an example
#@ needs:   uprobe host
#@ timeout: 60
page=$(dirname "$(readlink -f "$0")")/../../../man/dtrace-tools.7
cd "$TMP" || exit 1
PATH=/usr/sbin:/usr/bin:/sbin:/bin
ln -s "$PROGS/throws" program
sed -n 's/^# \(dtrace \\-s .*\)/\1/p' "$page" | sed 's/\\-/-/g; s/\\(aq/'\''/g' >examples
awk '{ print $3 }' examples | sort | diff - <("$DTRACE" --tools | awk '{ print $1 }')
sed -n 's/^\(dtrace \\-n .*\)/\1/p' "$page" | sed 's/\\-/-/g; s/\\(aq/'\''/g; s/\\e/\\/g' >>examples
grep -c -- ' -n ' examples
[[ -e /sys/bus/event_source/devices/kprobe ]] || sed -i '/ kfunc\| capable\|fbt::\|pgswapin/d' examples
"$DTRACE" -ln cpc:::cache_misses-all-100000 >/dev/null 2>&1 || sed -i '/cpc:::/d' examples # a machine without hardware counters
while IFS= read -r example; do
    eval "\"\$DTRACE\" -e ${example#dtrace}" >out 2>&1 || { echo "$example"; cat out; }
done <examples
