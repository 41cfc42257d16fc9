#@ what:    fsinfo fires once for each file operation of a program, with the name of the file
#@ needs:   kprobe python3
mkdir $TMP/dir && cd $TMP/dir
cat >work.py <<'P'
import fcntl, mmap, os

open_ = os.open("one", os.O_RDWR | os.O_CREAT, 0o600)  # create, open
os.write(open_, b"hello")
os.writev(open_, [b", ", b"world"])
os.lseek(open_, 1, os.SEEK_SET)
os.read(open_, 100)
os.lseek(open_, 0, os.SEEK_SET)
os.readv(open_, [bytearray(2)])
os.fsync(open_)
fcntl.lockf(open_, fcntl.LOCK_EX)
fcntl.ioctl(open_, 0x541B, b"\0" * 4)  # FIONREAD
os.posix_fallocate(open_, 0, 4096)
mmap.mmap(open_, 4096)  # Python reads the file size and duplicates the descriptor
os.fchmod(open_, 0o644)
os.fstat(open_)
os.close(open_)
os.link("one", "two")
os.rename("two", "three")
os.symlink("one", "four")
os.readlink("four")
os.mkdir("five")
os.listdir("five")  # checks whether it is a directory
os.rmdir("five")
for name in ("one", "three", "four"):
    os.unlink(name)
P
$DTRACE -qn 'self int file; inline int is_ours[string name] = name == "one" || name == "two" || name == "three" || name == "four" || name == "five";
fsinfo:::open, fsinfo:::close, fsinfo:::read, fsinfo:::write, fsinfo:::ioctl, fsinfo:::fsync, fsinfo:::frlock, fsinfo:::map, fsinfo:::space,
fsinfo:::readdir, fsinfo:::getattr, fsinfo:::setattr, fsinfo:::create, fsinfo:::remove, fsinfo:::link, fsinfo:::rename, fsinfo:::mkdir, fsinfo:::rmdir,
fsinfo:::symlink, fsinfo:::readlink
/pid == $target && is_ours[args[0]->fi_name]/
{
    @count[probename, args[0]->fi_name] = count();
    @bytes[probename, args[0]->fi_name] = sum(args[1]);
}
END { printa("%s %s %@d %@d\n", @count, @bytes); }' -c "python3 work.py" 2>$TMP/errors | grep . | sort
