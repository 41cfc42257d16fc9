#@ what:    a Go error made by errors.New or fmt.Errorf prints as its text; other Go interface values print as the names of their types
#@ needs:   go
. ./values.bash
PROGRAM=values_go
compare errors '
pid$target:a.out:main.report:entry { printf("%s, %s, %s\n", args.err, args.value, args.shape); }'
"$DTRACE" -q -c "$PROGS/values_go errors" -n '
pid$target:a.out:main.report:entry /args.err != NULL/ { @errors[args.err] = count(); }
pid$target:a.out:main.report:entry /args.err == "plain"/ { @plain = count(); }
pid$target:a.out:main.report:entry /args.shape == NULL/ { @nil = count(); }
END { printa("%@d equal\n", @plain); printa("%@d without a shape\n", @nil); printa("key %s\n", @errors); }' |
	grep -e ' equal$' -e without -e '^key' | sort
