#@ what:    a program written for another system's system calls gets one note with the Linux equivalent, unless option warnings is off
#@ needs:   syscall open
note() { $DTRACE "${@:2}" -x errors=json -en "$1" 2>&1 | sed 's/.*"message":"\([^"]*\)".*"hint":"\([^"]*\)".*/\1\n    \2/'; echo "--"; }
note 'syscall::read:return /arg0 == -1/ { } syscall::write:return /(int)arg1 != -1/ { }'
note 'syscall::*fork*:entry { }'
note 'syscall::open*:entry, syscall::*open*:return /errno == 0 && arg0 != 3/ { }'
note 'syscall::read:entry /arg0 == -1/ { } syscall::read:return /arg0 == 1/ { } fbt::vfs_read:return /arg1 == -1/ { }' -Z
note 'syscall::read:return /args[0] == -1/ { }'
note 'syscall::read:return /arg0 == -1/ { } syscall::creat:entry { }' -x warnings=off
