dtrace: error in dt_clause_3 for probe \(fbt:vmlinux:vfs_write:entry\): invalid address \(0x8\)
<1>
writes vfs_write 3
 +writesvfs_writes_write +
 +8 \|@+ 3 +
