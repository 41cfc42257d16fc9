struct packet { uint64_t next, head; uint32_t length, data_length; uint16_t mac, hash; uint32_t protocol; };
syscall::getppid:entry
/((struct packet *)arg0)->length > 100 && ((struct packet *)arg0)->protocol == 8/
{
	@ = count();
}
