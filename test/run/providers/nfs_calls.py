# Calls each procedure of this machine's NFS server once, all of NFS 3 and both of NFS 4, with arguments that name no file. Prints the number of the last call.
# With the argument "portmapper": accepts the server's registrations until it is killed.
import socket, struct, sys

PROGRAM, RECORD_END = 100003, 0x80000000


def received(connection):
    data = b""
    while True:
        (mark,) = struct.unpack("!I", exactly(connection, 4))
        data += exactly(connection, mark & ~RECORD_END)
        if mark & RECORD_END:
            return data


def exactly(connection, size):
    data = b""
    while len(data) < size:
        more = connection.recv(size - len(data))
        if not more:
            raise EOFError
        data += more
    return data


def send(connection, *words):
    data = struct.pack(f"!{len(words)}I", *words)
    connection.sendall(struct.pack("!I", RECORD_END | len(data)) + data)


def portmapper():
    listener = socket.socket()
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listener.bind(("127.0.0.1", 111))
    listener.listen(5)
    print("ready", flush=True)
    while True:
        connection = listener.accept()[0]
        try:
            while True:
                (number,) = struct.unpack("!I", received(connection)[:4])
                send(connection, number, 1, 0, 0, 0, 0, 1)  # a reply, accepted, without credentials, with success: true
        except (EOFError, ConnectionError):
            connection.close()


def call_all():
    connection = socket.create_connection(("127.0.0.1", 2049))
    number = 1000
    for version, procedures in ((3, 22), (4, 2)):
        for procedure in range(procedures):
            number += 1
            unix = (1, 20, 0, 0, 0, 0, 0)  # flavour, size, stamp, no name, user 0, group 0, no groups
            send(connection, number, 0, 2, PROGRAM, version, procedure, *unix, 0, 0, *[0] * 16)
            received(connection)
    print(number)


portmapper() if sys.argv[1:] == ["portmapper"] else call_all()
