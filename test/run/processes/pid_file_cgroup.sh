#@ what:    pid@FILE with -x cgroup matches only processes of that control group
#@ needs:   uprobe cgroup2
group=$(awk '/ - cgroup2 / { print $5; exit }' /proc/self/mountinfo)/dtrace-test-$$
mkdir "$group" || exit
cp "$PROGS/calls" "$TMP/calls"
cat >"$TMP/in" <<END
"$TMP/calls" 2
sh -c 'echo \$\$ >$group/cgroup.procs; exec "$TMP/calls" 3'
"$TMP/calls" 4
END
$DTRACE -x cgroup="$group" -qn "pid@$TMP/calls::add8:entry { @[\"calls\"] = count(); }" -c "sh $TMP/in" | tr -s ' ' | sed '/^$/d'
until rmdir "$group" 2>/dev/null; do :; done
