#@ what:    pcap() after freopen() writes one capture file header and then one packet for each call
#@ needs:   syscall python3
$DTRACE -wqn 'BEGIN { freopen("'"$TMP"'/packets"); } syscall::getppid:entry /pid == $target/ {
    this->socket = (struct socket *)curthread->files->fdt->fd[3]->private_data;
    pcap(this->socket->sk->sk_receive_queue.next, PCAP_ETHER); pcap(this->socket->sk->sk_receive_queue.next, PCAP_ETHER); }' \
    -c "$PROGS/packet hello_packet"
cat >"$TMP/read.py" <<'P'
import struct, sys
data = open(sys.argv[1], "rb").read()
magic, major, minor, zone, accuracy, most, link = struct.unpack_from("<IHHiIII", data)
print(hex(magic), major, minor, zone, accuracy, most, link)
at = 24
while at < len(data):
    seconds, nanoseconds, captured, length = struct.unpack_from("<IIII", data, at)
    print(nanoseconds < 10**9, captured, length, data[at + 16:at + 16 + captured].decode())
    at += 16 + captured
P
python3 "$TMP/read.py" "$TMP/packets"
