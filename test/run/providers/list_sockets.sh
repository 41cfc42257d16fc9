#@ what:    list:::socket fires for TCP, UDP and Unix sockets, with protocol, state, addresses, ports, inode and owner
#@ needs:   python3
cat >$TMP/work.py <<P
import os, socket
def say(name, file, family, protocol, state, local, port, remote="", far=0):
    print(name, family, protocol, state, local, port, remote, far, os.fstat(file.fileno()).st_ino, os.getuid(), sep=",", flush=True)
ESTABLISHED, CLOSE, LISTEN = 1, 7, 10
server = socket.socket()
server.bind(("127.0.0.1", 0))
server.listen()
port = server.getsockname()[1]
client = socket.create_connection(server.getsockname())
accepted = server.accept()[0]
near = client.getsockname()[1]
datagrams = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
datagrams.bind(("::1", 0))
named, abstract = socket.socket(socket.AF_UNIX), socket.socket(socket.AF_UNIX)
named.bind("$TMP/name")
named.listen()
abstract.bind("\0of-test-%d" % os.getpid())
say("socket", server, 2, "tcp", LISTEN, "127.0.0.1", port, "0.0.0.0")
say("socket", client, 2, "tcp", ESTABLISHED, "127.0.0.1", near, "127.0.0.1", port)
say("socket", accepted, 2, "tcp", ESTABLISHED, "127.0.0.1", port, "127.0.0.1", near)
say("socket", datagrams, 10, "udp", CLOSE, "::1", datagrams.getsockname()[1], "::")
say("socket", named, 1, "unix", LISTEN, "$TMP/name", 0)
say("socket", abstract, 1, "unix", CLOSE, "@of-test-%d" % os.getpid(), 0)
print("ready", flush=True)
input()
P
coproc WORK { exec python3 $TMP/work.py; }
pid=$WORK_PID
while read -r line <&${WORK[0]} && [ "$line" != ready ]; do
    echo "$line"
done >$TMP/there
$DTRACE -qn 'list:::socket { printf("socket,%d,%s,%d,%s,%d,%s,%d,%d,%d\n", args[1]->so_family, args[1]->so_protocol, args[1]->so_state, args[1]->so_laddr,
    args[1]->so_lport, args[1]->so_raddr, args[1]->so_rport, args[1]->so_inode, args[2]); }
    list:::socket /args[0]->cs_addr != args[1]->so_addr/ { printf("two addresses\n"); }' -c true >$TMP/listed
grep 'two addresses' $TMP/listed
if [ "$(printf '5.15\n%s\n' "$(uname -r)" | sort -V | head -1)" != 5.15 ]; then
    grep ,unix, $TMP/there >>$TMP/listed # kernels before 5.15 do not list them
fi
while read -r line; do
    echo "$(cut -d, -f2,3 <<<"$line") $(grep -cFx -- "$line" $TMP/listed)"
done <$TMP/there
echo >&${WORK[1]}
wait $pid
