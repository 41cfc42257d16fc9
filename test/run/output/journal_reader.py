# journal_reader.py stay|leave|return SOCKET COMMAND...: listens at SOCKET like a journal, runs COMMAND, prints each entry that COMMAND sends as JSON, and then the exit status of COMMAND.
# leave: stops listening after the first entry. return: another listener takes over after the first entry. Both then interrupt COMMAND.
import array, fcntl, json, os, signal, socket, struct, subprocess, sys, threading

mode, path, command = sys.argv[1], sys.argv[2], sys.argv[3:]


def listen():
    reader = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    reader.bind(path)
    return reader


def fields(entry):
    found = {}
    while entry:
        line, _, rest = entry.partition(b"\n")
        name, is_text, value = line.partition(b"=")
        if not is_text:
            (size,) = struct.unpack_from("<Q", rest)
            value, rest = rest[8 : 8 + size], rest[8 + size + 1 :]
        found.setdefault(name.decode(), []).append(value.decode())
        entry = rest
    return {name: values[0] if len(values) == 1 else values for name, values in found.items()}


def receive(reader):
    """Returns the next entry, or an empty one after COMMAND has ended."""
    entry, control, _, _ = reader.recvmsg(1 << 20, socket.CMSG_SPACE(4))
    for _, _, data in control:
        file = array.array("i", data)[0]
        seals = fcntl.fcntl(file, fcntl.F_GET_SEALS)
        entry = os.pread(file, os.fstat(file).st_size, 0)
        return {"sealed": seals == 15, **fields(entry)}
    return fields(entry)


def tell_end():
    child.wait()
    socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM).sendto(b"", path)


reader = listen()
child = subprocess.Popen(command)
if mode != "stay":
    print(json.dumps(receive(reader)), flush=True)
    reader.close()
    os.unlink(path)
    reader = listen() if mode == "return" else None
    child.send_signal(signal.SIGINT)
if reader:
    threading.Thread(target=tell_end).start()
    while entry := receive(reader):
        print(json.dumps(entry), flush=True)
print("status", child.wait())
