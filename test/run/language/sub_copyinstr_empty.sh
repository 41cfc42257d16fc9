#@ what:    copyinstr() of a text without characters is that text, not a fault, also where the kernel counts it as nothing read
#@ needs:   syscall
printf '#!/bin/bash\n: <""\n: </dev/null\n' >"$TMP/script"
chmod +x "$TMP/script"
"$DTRACE" -qn 'syscall::openat:entry /pid == $target/ { self->path = arg1; }
    syscall::openat:return /self->path && (copyinstr(self->path) == "" || copyinstr(self->path, 12) == "/dev/null")/
    { printf("<%s> %d\n", copyinstr(self->path), strlen(copyinstr(self->path))); }' -c "$TMP/script" 2>&1 | grep -v '^$\|No such file'
