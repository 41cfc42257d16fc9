#@ what:    a script with a #! line runs by its path, with options and arguments
#@ needs:   syscall
# The first line of a script needs a short path to dtrace without blanks, so it uses this link instead of the path of the build tree.
ln -s "$DTRACE" "$TMP/dtrace"
cat >"$TMP/args.d" <<END
#!$TMP/dtrace -qs
BEGIN { printf("%s %d\n", \$\$1, \$2); exit(0); }
END
chmod +x "$TMP/args.d"
"$TMP/args.d" hello 42
cat >"$TMP/target.d" <<END
#!$TMP/dtrace -qs
syscall::getppid:entry /pid == \$target/ { @n = count(); }
END { printa("%@d\n", @n); exit(\$1); }
END
chmod +x "$TMP/target.d"
"$TMP/target.d" -c "$PROGS/syscalls getppid 12" 4
echo "status $?"
