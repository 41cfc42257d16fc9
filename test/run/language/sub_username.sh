#@ what:    username() and groupname() print the names that Python has for each id, and the number of an id without a name
#@ needs:   python3
python3 - "$TMP" <<'E'
import grp, pwd, sys

calls, names = [], []
for function, entries, lookup in [('username', {e.pw_uid for e in pwd.getpwall()}, lambda id: pwd.getpwuid(id).pw_name),
                                  ('groupname', {e.gr_gid for e in grp.getgrall()}, lambda id: grp.getgrgid(id).gr_name)]:
    for id in sorted(entries)[:100]:
        calls.append(r'printf("%%s\n", %s(%d));' % (function, id))
        names.append(lookup(id))
open(sys.argv[1] + '/calls', 'w').write(' '.join(calls))
open(sys.argv[1] + '/names', 'w').write('\n'.join(names) + '\n')
E
$DTRACE -qn "BEGIN { $(cat "$TMP/calls") exit(0); }" >"$TMP/printed"
sed '$ { /^$/d }' "$TMP/printed" | cmp - "$TMP/names" && echo equal
$DTRACE -qn 'BEGIN { printf("%s %s ", username(uid), groupname(gid)); trace(username(4242424242)); print(groupname(-2)); exit(0); }'
$DTRACE -qn 'BEGIN { @[username(0)] = count(); @[username(4242424242)] = count(); printa("%s %@d\n", @); clear(@); exit(0); }' | head -n 2 | sort
