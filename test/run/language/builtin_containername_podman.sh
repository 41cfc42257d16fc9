#@ what:    containername and containerid of a podman container are printed even if the container was removed before its records were printed
#@ needs:   syscall guest podman
#@ timeout: 120
set -e
mkdir "$TMP/root"
cp --parents "$PROGS/syscalls" $(ldd "$PROGS/syscalls" | grep -o '/[^ ]*') "$TMP/root"
podman="podman --storage-driver=vfs --cgroup-manager=cgroupfs --runtime crun --events-backend=none"
tar -C "$TMP/root" -c . | $podman import -q - localhost/syscalls:1 >$TMP/image
$DTRACE -x switchrate=60s -qn 'syscall::getppid:entry /execname == "syscalls"/ { printf("%s %s %s\n", containername, containerid, container); }' \
    -c "$podman run --rm --cidfile $TMP/id --name dtrace-box --network none --log-driver none --security-opt seccomp=unconfined localhost/syscalls:1 $PROGS/syscalls getppid 1" >$TMP/out
id=$(cat $TMP/id)
sed "s/$id/ID/; s/${id:0:12}/ID/; /^\$/d" $TMP/out
