#@ what:    pcap() prints each line of tshark's output after "pcap" and a tab
#@ needs:   syscall
mkdir "$TMP/bin"
# Creates a program named tshark that prints its arguments, its input size and the end of the packet.
cat >"$TMP/bin/tshark" <<'T'
#!/bin/sh
echo "arguments $*"
cat >"$0.in"
tail -c 12 "$0.in"
echo
T
chmod +x "$TMP/bin/tshark"
PATH="$TMP/bin:$PATH" $DTRACE -qn 'syscall::getppid:entry /pid == $target/ {
    this->socket = (struct socket *)curthread->files->fdt->fd[3]->private_data;
    pcap(this->socket->sk->sk_receive_queue.next, PCAP_ETHER); }' -c "$PROGS/packet hello_packet"
