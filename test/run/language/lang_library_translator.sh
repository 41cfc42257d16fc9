#@ what:    one library file can define a type, and another one a translator for it
mkdir "$TMP/lib"
echo 'typedef struct who { int pid; int same; } who_t;' >"$TMP/lib/types.d"
cat >"$TMP/lib/who.d" <<'END'
#pragma D depends_on library types.d
translator who_t < struct task_struct *T > { pid = T->tgid; same = T == curthread; };
END
"$DTRACE" -q -x libdir="$TMP/lib" -n 'BEGIN { printf("%d %d\n", xlate<who_t>(curthread).pid == pid, xlate<who_t *>(curthread)->same); exit(0); }'
