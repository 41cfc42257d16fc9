#@ what:    with the sandboxed reader of program files, DWARF types are the same as without it
both() {
    for who in never always; do
        $DTRACE -x sandbox=$who "$@" 2>&1 | sed 's/pid[0-9]*/pid/; s/0x[0-9a-f]*/0xN/g' >"$TMP/$who"
    done
    [ -s "$TMP/always" ] && cmp "$TMP/never" "$TMP/always" && echo same
}
both -lvn 'pid$target:a.out:pick:entry,pid$target:a.out:pick:return' -c "$PROGS/typed"
both -lvn 'pid$target:a.out:shop*open_box*:entry,pid$target:a.out:shop*length*:entry' -c "$PROGS/typed_cxx"
both -qn 'pid$target:a.out:pick:entry { printf("%s %d %d %d\n", stringof(args[0]->name), args[0]->corners[1].x, args[0]->next->colour, args[0]->low); }' -c "$PROGS/typed"
both -qn 'pid$target:a.out:quiet:entry { printf("%d %d %d\n", sizeof(shape_t), ``first.corners[2].y, ((shape_t *)&``first)->next->corners[0].x); }' -c "$PROGS/typed"
both -qn 'pid$target:a.out:pick:return { print(*(struct shape *)copyin(arg1, sizeof (struct shape))); }' -c "$PROGS/typed"
both -qn 'pid$target:a.out:main:entry { trace(args[0]->nosuch); }' -c "$PROGS/typed"
