#@ what:    --tools NAME, -s NAME --help and wrong arguments print a tool's usage, and a similar name suggests the tool
#@ needs:   root
$DTRACE --tools opensnoop | sed -n '1p; 3,5p'
for help in --help -h; do $DTRACE -s opensnoop $help | cmp - <($DTRACE --tools opensnoop.d); done
$DTRACE -s ../../../tools/opensnoop.d --help | cmp - <($DTRACE --tools opensnoop.d)
{
    $DTRACE -s runqlat 1 5 7
    $DTRACE -s funccount malloc
    $DTRACE -s opensnop
    $DTRACE --tools biosnoop
    $DTRACE --tools stackcount
} 2>&1 | sed 's|script .*/tools/\(.*: line \)[0-9]*|script \1N|; s|in /[^ ]*tools|in TOOLS|'
