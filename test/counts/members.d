struct packet { uint64_t next, head; uint32_t length, data_length; uint16_t mac, hash; uint32_t protocol; };
syscall::getppid:entry
{
	this->p = (struct packet *)arg0;
	@ = sum(this->p->length + this->p->data_length + this->p->mac + this->p->hash + this->p->protocol);
}
