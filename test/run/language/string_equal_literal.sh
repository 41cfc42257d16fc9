#@ what:    == with a string literal is true only if all characters match, for string variables and execname of every length
name=abcdefghijklmno
{
    for i in {1..15}; do
        echo "syscall::kill:entry /pid == \$target && execname == \"${name:0:i}\"/ { printf(\"%s %d\n\", execname, $i); }"
        echo "syscall::kill:entry /pid == \$target && \"${name:0:i}\" != execname/ { @others = count(); }"
    done
    echo 'syscall::kill:entry /pid == $target/ { @values = sum((execname == "abc") + 100 * (execname != "abcdefghijklmnop")); }'
    echo 'END { printa("%@d others, ", @others); printa("values %@d\n", @values); }'
} >"$TMP/names.d"
cat >"$TMP/names.sh" <<END
for i in {1..15}; do
    echo -n "\${1:0:i}" >/proc/\$\$/comm
    kill -0 \$\$
done
END
$DTRACE -qs "$TMP/names.d" -c "bash $TMP/names.sh $name"

# Compares strings of 1 to 62 characters with literals of the same length, one shorter, one longer, and with a different last character.
long=abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnop
{
    echo 'string s; int equal, others;'
    for i in {1..62}; do
        echo "BEGIN { s = \"${long:0:i}\"; } BEGIN /s == \"${long:0:i}\"/ { equal++; } BEGIN /s != \"${long:0:i-1}\" && s != \"${long:0:i+1}\" && s != \"${long:0:i-1}A\"/ { others++; }"
    done
    echo 'BEGIN { printf("%d equal, %d others\n", equal, others); exit(0); }'
} >"$TMP/texts.d"
$DTRACE -qs "$TMP/texts.d"

echo "names made for a comparison: $($DTRACE -e -S -x disasm=2 -n 'syscall::kill:entry /execname == "nosuch"/ { n++; }' 2>&1 | grep -c ' neg ')"
