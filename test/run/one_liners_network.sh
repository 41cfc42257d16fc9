#@ what:    the manual's one-liners about the network tell of a conversation over the loopback device of a network of its own
#@ needs:   root
. ./one_liner
one_liner 'TCP connections that are made, by port' '^ +7001 +1$' -c "$PROGS/talk tcp 4"
one_liner 'TCP connections that are accepted, by address and port' '^ +127.0.0.1 +7001 +1$' -c "$PROGS/talk tcp 4"
one_liner 'Bytes of IP by the address that they are sent to' '^ +127.0.0.1 +[0-9]{4}$' -c "$PROGS/talk udp 4"
one_liner 'Bytes of UDP by port of the other side' '^ +7001 +[0-9]{4}$' -c "$PROGS/talk udp 4"
