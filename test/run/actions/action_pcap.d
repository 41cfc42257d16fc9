/*@
 * what:    pcap() dumps the bytes of a socket's packet when tshark is not installed
 * env:     PATH=/nonexistent
 * needs:   syscall
 * run:     -qs %file% -c '%progs%/packet hello_packet'
 * env:     PATH=%tmp%
 */
syscall::getppid:entry
/pid == $target/
{
	this->socket = (struct socket *)curthread->files->fdt->fd[3]->private_data;
	pcap(this->socket->sk->sk_receive_queue.next, PCAP_ETHER);
	pcap(NULL, PCAP_IP);
	printf("end\n");
}
