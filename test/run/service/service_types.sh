#@ what:    print() shows members of structs in a service, and after a change of a script, globals of unchanged type keep their values
. ./service.bash
script prints <<'X'
#pragma D option quiet
struct pair { int left, right; };
BEGIN { this->p = (struct pair *)alloca(8); this->p->left = 1; this->p->right = -2; print(this->p); }
X
counting() { echo "#pragma D option quiet
struct pair { int left, right; }; struct pair *at; uint8_t few; $1 other; $2"; }
script counts <<<"$(counting int 'BEGIN { at = (struct pair *)16; few = 255; other = 3; printf("begun\n"); }')"
start
until_printed right
until_printed begun
script counts <<<"$(counting int 'BEGIN { printf("at 16: %d, few %d, other %d\n", at == (struct pair *)16, few, other); }')"
client reload
until_printed few
script counts <<<"$(counting string 'BEGIN { printf("again%s\n", other); }')"
client reload
until_printed again
stop
grep -ohE '\.(left|right) = .*|at 16: .*' "$TMP/out"
grep -oh 'other: .*' "$TMP/err"
