"""The workloads that the questions are about. Each workload runs in its own process, from the moment when tracing is
active until its end. It counts and times its own actions and returns these numbers, with which answers are compared.
`plan` is a random.Random, so that each run differs."""

import contextlib
import ctypes
import os
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from pathlib import Path

LIBC = ctypes.CDLL("libc.so.6")
NULL, ZERO = os.open("/dev/null", os.O_WRONLY), os.open("/dev/zero", os.O_RDONLY)


def calls(plan, folder):
    """Makes simple system calls, some of which fail."""
    made, errors = Counter(), Counter()
    begin = time.monotonic_ns()
    for _ in range(plan.randrange(40, 200)):
        name = plan.choice(["getppid", "getuid", "sched_yield", "close", "getpgid"])
        made[name] += 1
        try:
            {"getppid": os.getppid, "getuid": os.getuid, "sched_yield": os.sched_yield, "close": lambda: os.close(-1), "getpgid": lambda: os.getpgid(2**22 + 1)}[name]()
        except OSError as error:
            errors[name, error.errno] += 1
    account = {"pid": os.getpid(), "ppid": os.getppid(), "uid": os.getuid()}
    made.update(["getpid", "getppid", "getuid"])
    return {**account, "calls": made, "errors": errors, "total": sum(made.values()), "lasted": time.monotonic_ns() - begin}


def files(plan, folder):
    """Opens, writes, renames and removes files, and opens some that do not exist."""
    opened, missing, made, gone, sizes, renamed = Counter(), Counter(), [], [], {}, {}
    for i in range(plan.randrange(5, 12)):
        path = f"{folder}/file{i}"
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o640)
        opened[path] += 1
        size = plan.randrange(1, 9000)
        os.write(fd, b"x" * size)
        sizes[path] = size
        os.close(fd)
    for path in plan.sample(sorted(sizes), 3):
        renamed[path] = f"{path}.new"
        os.rename(path, renamed[path])
    for path in [each for each in sizes if each not in renamed][:2]:
        os.unlink(path)
        gone.append(path)
    for i in range(plan.randrange(2, 6)):
        path = f"{folder}/none{i}"
        missing[path] += 1
        with contextlib.suppress(OSError):
            os.open(path, os.O_RDONLY)
    for i in range(plan.randrange(1, 5)):
        made.append(f"{folder}/sub{i}")
        os.mkdir(made[-1])
    return {"opened": opened, "missing": missing, "sizes": sizes, "renamed": renamed, "gone": gone, "folders": made}


def transfers(plan, folder):
    """Reads from /dev/zero and writes to /dev/null with random sizes."""
    reads, writes = [], []
    for _ in range(plan.randrange(20, 80)):
        size = 1 << plan.randrange(0, 16)
        if plan.random() < 0.5:
            reads.append(len(os.read(ZERO, size + plan.randrange(0, size))))
        else:
            writes.append(os.write(NULL, bytes(size + plan.randrange(0, size))))
    return {"reads": reads, "writes": writes, "zero": ZERO, "null": NULL}


def sleeps(plan, folder):
    """Sleeps several times for a few milliseconds, and times each sleep."""
    asked, lasted, since = [], [], time.time_ns()
    for _ in range(plan.randrange(4, 9)):
        asked.append(plan.randrange(2, 20) * 1_000_000)
        before = time.monotonic_ns()
        time.sleep(asked[-1] / 1e9)
        lasted.append(time.monotonic_ns() - before)
    return {"asked": asked, "lasted": lasted, "since": since, "until": time.time_ns(), "name": Path("/proc/self/comm").read_text().strip()}


def burns(plan, folder):
    """Computes for a given amount of CPU time."""
    wanted = plan.randrange(120, 200) * 1_000_000
    begin, before = time.process_time_ns(), time.monotonic_ns()
    while time.process_time_ns() - begin < wanted:
        sum(range(20000))
    return {"cpu": time.process_time_ns() - begin, "lasted": time.monotonic_ns() - before, "cpus": os.cpu_count()}


def children(plan, folder):
    """Runs commands that exit with given statuses."""
    begin = time.monotonic_ns()
    run, statuses = Counter(), Counter()
    pids = []
    for _ in range(plan.randrange(3, 7)):
        status = plan.choice([0, 1, 3, 77])
        command = ["/bin/sh", "-c", f"exit {status}"] if status else ["/bin/true"]
        child = subprocess.Popen(command)
        pids.append(child.pid)
        statuses[child.wait()] += 1
        run[command[0]] += 1
    killed = subprocess.Popen(["/bin/sleep", "100"])
    run["/bin/sleep"] += 1
    killed.kill()
    killed.wait()
    pids.append(killed.pid)
    return {"run": run, "statuses": statuses, "pids": pids, "killed": killed.pid, "pid": os.getpid(), "lasted": time.monotonic_ns() - begin}


def signals(plan, folder):
    """Sends signals to itself, which it handles."""
    sent = Counter()
    for number in (signal.SIGUSR2, signal.SIGHUP, signal.SIGWINCH):
        signal.signal(number, lambda *_: None)
        for _ in range(plan.randrange(1, 9)):
            os.kill(os.getpid(), number)
            sent[int(number)] += 1
    return {"sent": sent, "pid": os.getpid(), "total": sum(sent.values())}


def functions(plan, folder):
    """Calls functions of the C library with known arguments and results."""
    words, lengths, numbers, order = Counter(), [], Counter(), []
    begin = time.monotonic_ns()
    LIBC.malloc.restype = ctypes.c_void_p
    for _ in range(plan.randrange(10, 40)):
        number = plan.randrange(1000)
        numbers[number] += 1
        word = str(number).encode()
        words[word.decode()] += 1
        order.append(word.decode())
        LIBC.atoi(word)
        LIBC.labs(-number)
    for _ in range(plan.randrange(3, 9)):
        lengths.append(plan.randrange(1, 5000))
        LIBC.free(ctypes.c_void_p(LIBC.malloc(lengths[-1])))
    return {"words": words, "numbers": numbers, "lengths": lengths, "order": order, "total": sum(words.values()), "lasted": time.monotonic_ns() - begin}


def sockets(plan, folder):
    """Sends and receives data over loopback by TCP and UDP, and over a Unix socket in the file system."""
    sent, heard = [], 0
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with socket.create_connection(("127.0.0.1", port)) as client:
            served, _ = server.accept()
            with served:
                for _ in range(plan.randrange(3, 9)):
                    sent.append(plan.randrange(1, 1000))
                    client.send(b"x" * sent[-1])
                    heard += len(served.recv(sent[-1], socket.MSG_WAITALL))
    datagrams = []
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as receiver, socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        receiver.bind(("127.0.0.1", 0))
        for _ in range(plan.randrange(2, 6)):
            datagrams.append(plan.randrange(1, 1000))
            sender.sendto(b"x" * datagrams[-1], receiver.getsockname())
            receiver.recv(2000)
        udp_port = receiver.getsockname()[1]
    return {"sent": sent, "heard": heard, "port": port, "datagrams": datagrams, "udp_port": udp_port}


def threads(plan, folder):
    """Starts threads that each make a given number of calls."""
    made = {}

    def work(number):
        for _ in range(number):
            os.getppid()
        made[threading.get_native_id()] = number

    for _ in range(plan.randrange(2, 6)):
        thread = threading.Thread(target=work, args=(plan.randrange(5, 50),))
        thread.start()
        thread.join()
    return {"threads": made, "total": sum(made.values()), "number": len(made), "cpus": os.cpu_count()}
