# notify_reader.py SOCKET DIRECTORY COMMAND...: acts as service manager of COMMAND, a service of DIRECTORY. Prints its notifications, without watchdog messages
# after the first READY. Sends SIGHUP after the first READY, and SIGTERM after the second READY and two watchdog messages.
import os, signal, socket, subprocess, sys

path, command = sys.argv[1], sys.argv[3:]
reader = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
reader.bind("\0" + path[1:] if path[0] == "@" else path)
child = subprocess.Popen(command, env={**os.environ, "NOTIFY_SOCKET": path, "WATCHDOG_USEC": "100000"}, stdout=subprocess.DEVNULL)
ready = alive = 0
reloading = stopping = False
while not stopping:
    told = reader.recv(4096).decode().split("\n")
    if told[0].startswith("EXTEND_TIMEOUT_USEC="):
        print("wants more time")
        continue
    if ready and told == ["WATCHDOG=1"]:
        alive += ready == 2
        if alive == 2:
            child.send_signal(signal.SIGTERM)
        continue
    print(" ".join("MONOTONIC_USEC=N" if each.startswith("MONOTONIC_USEC=") and each[15:].isdigit() else each for each in told))
    if told[0] == "READY=1":
        ready += 1
        if ready == 1:
            child.send_signal(signal.SIGHUP)
    stopping = told[0] == "STOPPING=1"
print("status", child.wait())
