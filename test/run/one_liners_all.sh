#@ what:    each one-liner of the manual is run by a test, once
awk '/^\.SH/ { mine = /ONE-LINERS/ } mine && /:$/ { sub(/:$/, ""); print }' ../../man/dtrace.8 | sort >$TMP/manual
sed -n "s/^one_liner '\([^']*\)'.*/\1/p" one_liners*.sh | sort | diff $TMP/manual - && wc -l <$TMP/manual
