/*@
 * what:    after freopen(), pcap() writes packets to that file in capture file format
 * needs:   syscall
 * run:     -q -w -s %file% -c '%progs%/packet hello_packet' %tmp%/file
 */
syscall::getppid:entry
/pid == $target/
{
	freopen("%s", $$1);
	this->socket = (struct socket *)curthread->files->fdt->fd[3]->private_data;
	pcap(this->socket->sk->sk_receive_queue.next, PCAP_ETHER);
	freopen("");
	system("tail -c +41 %s; wc -c <%s", $$1, $$1);
}
