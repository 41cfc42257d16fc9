#@ what:    nfsv3 and nfsv4 probes fire once at the start and once at the end of each procedure, with addresses and transaction id
#@ needs:   guest python3
#@ timeout: 120
# Only Debian's kernels have their modules in the build tree.
modules=$(ls -d ../../../build/guest/*/lib/modules/$(uname -r)/kernel ../../../build/guest/*/usr/lib/modules/$(uname -r)/kernel 2>/dev/null | head -n 1)
[ -f "$modules/fs/nfsd/nfsd.ko" ] || { echo "this kernel has no server of NFS"; exit 77; }
for module in net/sunrpc/sunrpc fs/nfs_common/grace fs/lockd/lockd fs/nfs_common/nfs_acl net/sunrpc/auth_gss/auth_rpcgss fs/nfsd/nfsd; do
    busybox insmod $modules/$module.ko || { echo "a module of the server of NFS is not taken"; exit 77; }
done
python3 -c 'import fcntl, socket, struct; fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))' # SIOCSIFFLAGS: up
python3 nfs_calls.py portmapper >$TMP/portmapper &
mapper=$!
trap 'echo 0 >/proc/fs/nfsd/threads; kill $mapper' EXIT
until grep -q ready $TMP/portmapper; do sleep 0.1; done
mount -t nfsd nfsd /proc/fs/nfsd
echo nfsd 127.0.0.1 2147483647 client >/proc/net/rpc/auth.unix.ip/channel
echo 1 >/proc/fs/nfsd/threads
$DTRACE -qn 'nfsv3:::op-null-start, nfsv3:::op-null-done, nfsv3:::op-getattr-start, nfsv3:::op-getattr-done, nfsv3:::op-setattr-start, nfsv3:::op-setattr-done,
nfsv3:::op-lookup-start, nfsv3:::op-lookup-done, nfsv3:::op-access-start, nfsv3:::op-access-done, nfsv3:::op-readlink-start, nfsv3:::op-readlink-done,
nfsv3:::op-read-start, nfsv3:::op-read-done, nfsv3:::op-write-start, nfsv3:::op-write-done, nfsv3:::op-create-start, nfsv3:::op-create-done,
nfsv3:::op-mkdir-start, nfsv3:::op-mkdir-done, nfsv3:::op-symlink-start, nfsv3:::op-symlink-done, nfsv3:::op-mknod-start, nfsv3:::op-mknod-done,
nfsv3:::op-remove-start, nfsv3:::op-remove-done, nfsv3:::op-rmdir-start, nfsv3:::op-rmdir-done, nfsv3:::op-rename-start, nfsv3:::op-rename-done,
nfsv3:::op-link-start, nfsv3:::op-link-done, nfsv3:::op-readdir-start, nfsv3:::op-readdir-done, nfsv3:::op-readdirplus-start,
nfsv3:::op-readdirplus-done, nfsv3:::op-fsstat-start, nfsv3:::op-fsstat-done, nfsv3:::op-fsinfo-start, nfsv3:::op-fsinfo-done,
nfsv3:::op-pathconf-start, nfsv3:::op-pathconf-done, nfsv3:::op-commit-start, nfsv3:::op-commit-done, nfsv4:::null-start, nfsv4:::null-done,
nfsv4:::compound-start, nfsv4:::compound-done
{ @[probeprov, probename] = count(); }
nfsv3:::op-null-start, nfsv3:::op-null-done, nfsv4:::compound-start, nfsv4:::compound-done
{
    printf("%s %s %s %s %d %s\n", probename, args[0]->ci_local, args[0]->ci_remote, args[0]->ci_protocol, args[1]->noi_xid, args[1]->noi_curpath);
}
END { printa("%s %s %@d\n", @); }' -c "python3 nfs_calls.py" | grep -v '^$' | sort
