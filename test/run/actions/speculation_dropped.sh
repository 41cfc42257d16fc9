#@ what:    speculation ids become free again under every buffer policy, even if a full buffer drops the samples and commit records of speculations
#@ needs:   syscall
for policy in switch ring fill; do
    $DTRACE -b 4k -x nspec=1 -x bufpolicy=$policy -x quietresize -qn '
        BEGIN { calls = 0; got = 0; }
        syscall::getppid:entry /pid == $target/ { s = speculation(); calls++; got = got + (s != 0 ? 1 : 0); }
        syscall::getppid:entry /pid == $target/ { speculate(s); printf("%d\n", calls); }
        syscall::getppid:entry /pid == $target/ { commit(s); }
        END { printf("%s\n", got == calls && calls > 100 ? "all" : "some"); }' -c "$PROGS/storm 20000" 2>/dev/null | grep -E 'all|some'
done
