#@ what:    copyinstr() of an empty user string returns an empty string instead of raising a fault
#@ needs:   syscall
printf '#!/bin/bash\n: <""\n: </dev/null\n' >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -qn 'syscall::openat:entry /pid == $target/ { self->path = arg1; }
    syscall::openat:return /self->path && (copyinstr(self->path) == "" || copyinstr(self->path, 12) == "/dev/null")/
    { printf("<%s> %d\n", copyinstr(self->path), strlen(copyinstr(self->path))); }' -c "$TMP/script" 2>&1 | grep -v '^$\|No such file'
