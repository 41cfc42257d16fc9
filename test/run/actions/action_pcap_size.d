/*@
 * what:    pcap() captures at most as many bytes of a packet as option pcapsize allows
 * env:     PATH=/nonexistent
 * needs:   syscall
 * run:     -x pcapsize=8 -qs %file% -c '%progs%/packet hello_packet'
 * env:     PATH=%tmp%
 */
syscall::getppid:entry
/pid == $target/
{
	this->socket = (struct socket *)curthread->files->fdt->fd[3]->private_data;
	pcap(this->socket->sk->sk_receive_queue.next, PCAP_ETHER);
}
