#@ what:    fsinfo gives path, mount point, offset and flags of a file, for open files and for files named in stat() or rename()
#@ needs:   kprobe python3
mkdir $TMP/dir $TMP/mounted && cd $TMP/dir
mount -t tmpfs none $TMP/mounted
trap 'umount $TMP/mounted' EXIT
cat >work.py <<P
import os
file = os.open("$TMP/mounted/held", os.O_RDWR | os.O_CREAT | os.O_APPEND)
os.write(file, b"12345")
os.write(file, b"6")
os.stat("$TMP/mounted/held")
os.chdir("$TMP/mounted")
os.mkdir("$TMP/mounted/below")
os.rename("$TMP/mounted/held", "$TMP/mounted/below/held")
P
$DTRACE -qn 'fsinfo:::open, fsinfo:::write, fsinfo:::getattr, fsinfo:::mkdir, fsinfo:::rename /pid == $target && args[0]->fi_fs == "tmpfs"/
{
    printf("%s %s %s %s %s %d %x\n", probename, args[0]->fi_name, args[0]->fi_dirname, args[0]->fi_pathname, args[0]->fi_mount, args[0]->fi_offset,
        args[0]->fi_oflags & (O_ACCMODE | O_APPEND));
}' -c "python3 work.py" 2>$TMP/errors | grep held\\\|below | sed "s|[^ ]*$TMP|TMP|g"
