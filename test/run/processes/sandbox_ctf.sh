#@ what:    with the sandboxed reader of program files, CTF types and the error for a damaged section are the same as without it
#@ needs:   syscall ctf objcopy
objcopy --dump-section .ctf="$TMP/whole" "$PROGS/globals_ctf" "$TMP/unused"
head -c 100 "$TMP/whole" >"$TMP/cut"
objcopy --update-section .ctf="$TMP/cut" "$PROGS/globals_ctf" "$TMP/cut_off"
both() {
    for who in never always; do
        $DTRACE -x sandbox=$who "$@" >"$TMP/$who" 2>&1
    done
    [ -s "$TMP/always" ] && cmp "$TMP/never" "$TMP/always" && echo same
}
both -qn 'syscall::getppid:entry /pid == $target/ { this->n = (globals_ctf`node_t *)&``first; printf("%d %d %d\n", this->n->value, this->n->next->value, offsetof(globals_ctf`node_t, name)); }' -c "$PROGS/globals_ctf"
both -qn 'BEGIN { trace(``counter); exit(0); }' -c "$TMP/cut_off"
