#@ what:    args[] is error D_ARGS_MULTI if the probe description can match probes of different providers or names
#@ needs:   syscall host
set -f
while read -r description; do
    "$DTRACE" -e -Z -x errtags -n "$description { trace(args[0]); }" 2>"$TMP/err"
    echo "$description: $(sed -n '1s/.*\(\[D_[A-Z_]*\]\).*/\1/p' "$TMP/err")"
done <<'END'
syscall::read*:entry
syscall::read:entry, syscall::write:entry
syscall:vm*:read:entry
::read:entry
::re*:entry
sys*::re*:entry
syscall::read:
syscall::read:*
syscall:::entry
profile:::tick-1s
profile:::tick-*
:::
nosuch:::
END
