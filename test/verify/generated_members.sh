#@ what:    for a sample of all members of probes and translators, the kernel accepts a program that reads the member, or the compiler refuses it with a tag
#@ needs:   syscall profile
#@ timeout: 300
every=${EVERY:-30} of_many=${OF_MANY:-40}
[ -n "$DTRACE_GUEST" ] && every=${EVERY:-50} of_many=${OF_MANY:-100}
"$(dirname "$(readlink -f "$GENERATE")")/load_members" --every "$every" --of-many "$of_many" --from "${FROM:-0}" >"$TMP/said"
grep 'wrong: ' "$TMP/said" | head -n 20
# "all  N statements:  N loaded,  N compiled,  N refused,  N wrong". For each provider, about 50 of 200 statements of D's
# variables are refused on every kernel. A sample without many structures has few other statements.
awk '$1 == "all" { if ($4 + $6 < 1000 || $4 + $6 < 2 * $8) print; seen = 1 } END { if (!seen) print "no result" }' "$TMP/said"
