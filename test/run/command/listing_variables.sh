#@ what:    the variable table of -S shows each variable once, with its kind, scope and use
$DTRACE -Se -n 'BEGIN { x = 1; self->y = x++; this->z = pid; a[x] = 2; a[x] += 2; @q = sum(1); }' 2>&1 |
    awk '/^NAME/ { table = 1 } /^$/ { table = 0 } table { print $1, (/^NAME/ ? $4 " " $5 " " $7 : $3 " " $4 " " $6) }'
