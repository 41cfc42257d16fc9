#@ what:    option scratchsize accepts at most 256 MiB, the largest size that the kernel's verifier allows
$DTRACE -x scratchsize=1m -qn 'BEGIN { this->p = (char *)alloca(100000); this->p[99999] = 65; printf("%c\n", this->p[99999]); exit(0); }'
$DTRACE -x scratchsize=257m -qn 'BEGIN { exit(0); }' 2>&1
exit 0
