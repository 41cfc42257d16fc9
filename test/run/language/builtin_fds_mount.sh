#@ what:    fds[] gives file system and mount point of an open file, also for nested and bind mounts; a pipe has the mount point <none>
#@ needs:   root
mkdir $TMP/outer
cat >$TMP/look <<S
mount -t tmpfs none $TMP/outer && mkdir $TMP/outer/inner $TMP/outer/twice && mount -t ramfs none $TMP/outer/inner && mkdir $TMP/outer/inner/d
: >$TMP/outer/file; : >$TMP/outer/inner/d/file; mount --bind $TMP/outer/inner/d $TMP/outer/twice
: | \$DTRACE -qn 'syscall::close:entry /pid == \$target && (fds[arg0].fi_name == "file" || fds[arg0].fi_name == "mounts")/
{
	printf("%s %s %s %s %d\\n", fds[arg0].fi_fs, fds[arg0].fi_mount, fds[arg0].fi_dirname, fds[arg0].fi_pathname, fds[arg0].fi_oflags & O_ACCMODE);
}
syscall::close:entry /pid == \$target && fds[arg0].fi_name == "mounts"/ { printf("%s %s\\n", fds[0].fi_fs, fds[0].fi_mount); }' \
    -c "$PROGS/open_files $TMP/outer/file $TMP/outer/inner/d/file $TMP/outer/twice/file /proc/self/mounts"
S
DTRACE=$DTRACE unshare -m sh $TMP/look | grep . | sed "s,/root$TMP,TMP,g; s,$TMP,TMP,g; s,/root/proc,/proc,g; s,proc/[0-9]*,proc/N,g" # in a guest, all paths are below /root
