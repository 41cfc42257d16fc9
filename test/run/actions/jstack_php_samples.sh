#@ what:    every clock sample of a PHP program with generators and callbacks has its functions in the right order, with line numbers
#@ needs:   php x86-64
cat >"$TMP/nest.php" <<'END'
<?php
function step($i) {
    return $i * 2 % 7;
}
function leaf($n) {
    for ($sum = $i = 0; $i < $n; $i++)
        $sum += step($i);
    return $sum;
}
class Key {
    function key($a, $b) { return leaf(50) + $a <=> $b; }
}
function nest() {
    $values = range(0, 20);
    usort($values, [new Key, 'key']);
    return $values;
}
function gen() {
    while (true)
        yield nest();
}
function work($end) {
    foreach (gen() as $each)
        if (microtime(true) > $end)
            return;
}
work(microtime(true) + 1);
END
# Prints each stack on one line, as functions with their line numbers. A function has no line number during a call or a return.
$DTRACE -qn 'profile-997 /pid == $target && arg1/ { printf("stack\n"); jstack(); }' -c "php $TMP/nest.php" |
    sed -n 's/^ *//; s/\[vdso\]//; s/^stack$/;/p; s/^\(\[.*\)/\1/p; s/^\(.*\) (.*nest\.php\(:[0-9]*\)\{0,1\})$/\1\2/p' | tr '\n' ' ' | tr ';' '\n' |
    grep ' work' | grep -v '\[' >"$TMP/stacks"
calls='gen(:(19|2[01]))? work(:2[345])? \{main\}:27 $'
grep -Ev "^( (((step(:3)? )?leaf(:[5678])? )?Key::key(:11)? )?nest(:1[456])?)? $calls|^ work(:2[345])? \{main\}:27 $" "$TMP/stacks"
[ -s "$TMP/stacks" ] && echo right
