# Runs in its own network namespace. Opens, resets and refuses connections, loses a segment, and sends datagrams and echoes that are accepted, dropped or refused.
# Prints the id of that namespace and the counters of its /proc/net/snmp, under the names of the mib probes.
import errno, fcntl, os, select, socket, struct, time

LO = "127.0.0.1"


def counted():
    numbers = {}
    lines = open("/proc/net/snmp").read().splitlines()
    for names, values in zip(lines[::2], lines[1::2]):
        kind = names.split(":")[0].lower()
        numbers.update((kind + name, int(value)) for name, value in zip(names.split()[1:], values.split()[1:]))
    for line in open("/proc/net/snmp6"):
        name, value = line.split()
        if name.startswith("Udp6"):
            numbers["udp" + name[4:]] += int(value)
    numbers["udpInOverflows"] = numbers["udpRcvbufErrors"]
    return numbers


def pair(family, address):
    listener = socket.socket(family)
    listener.bind((address, 0))
    listener.listen(5)
    one = socket.create_connection(listener.getsockname()[:2])
    return listener, one, listener.accept()[0]


fcntl.ioctl(socket.socket(), 0x8914, struct.pack("16sh14x", b"lo", 0x49))  # SIOCSIFFLAGS: up
while True:  # the IPv6 address is usable a moment later
    try:
        socket.socket(socket.AF_INET6, socket.SOCK_DGRAM).bind(("::1", 0))
        break
    except OSError:
        time.sleep(0.01)

for family, address in ((socket.AF_INET, LO), (socket.AF_INET6, "::1")):
    for abort in (False, True, True):
        listener, one, other = pair(family, address)
        one.sendall(b"x" * 10)
        other.recv(10)
        if abort:
            one.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        one.close()
        other.close()
        listener.close()
    free = socket.socket(family)
    free.bind((address, 0))
    try:
        socket.create_connection(free.getsockname()[:2])
    except ConnectionRefusedError:
        pass

    taker = socket.socket(family, socket.SOCK_DGRAM)
    taker.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    taker.bind((address, 0))
    sender = socket.socket(family, socket.SOCK_DGRAM)
    for _ in range(30):
        sender.sendto(b"x" * 500, taker.getsockname()[:2])
    taker.recv(100, socket.MSG_PEEK)
    taker.setblocking(False)
    try:
        while True:
            taker.recv(100)
    except BlockingIOError:
        pass
    nobody = taker.getsockname()[:2]
    taker.close()
    for _ in range(7):
        socket.socket(family, socket.SOCK_DGRAM).sendto(b"x", nobody)

# The queue for one connection is full, so the next SYN is lost, and sent again after a second.
listener = socket.socket()
listener.bind((LO, 0))
listener.listen(0)
waiting = [socket.socket() for _ in range(3)]
for each in waiting:
    each.setblocking(False)
    each.connect_ex(listener.getsockname())
while counted()["tcpRetransSegs"] == 0:
    time.sleep(0.1)
for each in [listener, *waiting]:
    each.close()

echo = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_ICMP)
message = struct.pack("!BBHHH", 8, 0, 0xF7FE, 1, 0)  # an echo request with its checksum
for _ in range(4):
    echo.sendto(message, (LO, 0))
select.select([echo], [], [])

print("net", os.stat("/proc/self/ns/net").st_ino)
for name, value in sorted(counted().items()):
    print(name, value)
