#@ what:    the reported stability of a probe description is that of its provider, or Unstable if several providers can match
#@ needs:   syscall host
show()
{
    "$DTRACE" -e -v -n "$1" >"$TMP/out" 2>&1 || cat "$TMP/out"
    printf '%s: %s\n' "$1" "$(sed -n '/Minimum Probe/,/^$/s/.*: *//p' "$TMP/out" | paste -sd/)"
}
set -f
while read -r description; do
    show "$description"
done <<'END'
BEGIN
d*:::BEGIN
dtrace:::BEGIN
dtrace:::
dtrace:::*
1
syscall:::
syscall:::entry
syscall::re*:entry
syscall::rea[d]:entry
syscall::read:entry
syscall::read:
syscall:vmlinux:read:entry
syscall:vmlinux::entry
syscall:vm*::entry
::read:entry
profile:::tick-1s
dtrace:::BEGIN, syscall::read:entry
END
