#@ what:    a service keeps sending watchdog notifications to systemd while its compiler process waits for a slow file
#@ needs:   python3
. ./service.bash
mkdir "$TMP/lib"
script good <<<'BEGIN { x = 1; }'
python3 - "$TMP" $DTRACE -x control="$socket" -x libdir="$TMP/lib" --service "$dir" 2>"$TMP/err" <<'END'
import os, signal, socket, subprocess, sys, time
folder, command = sys.argv[1], sys.argv[2:]
reader = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
reader.bind(folder + "/notify")
service = subprocess.Popen(command, env={**os.environ, "NOTIFY_SOCKET": folder + "/notify", "WATCHDOG_USEC": "60000000"}, stdout=subprocess.DEVNULL)
def told():
    return reader.recv(4096).decode().split("\n")[0].split("=")[0]
while told() != "READY":
    pass
os.mkfifo(folder + "/lib/stands.d") # a reader of this pipe blocks
with open(folder + "/scripts.d/late.d", "w") as script:
    script.write("BEGIN { x = 2; }")
service.send_signal(signal.SIGHUP)
while True: # until the compiler has opened the pipe and blocks
    try:
        writer = os.open(folder + "/lib/stands.d", os.O_WRONLY | os.O_NONBLOCK)
        break
    except OSError:
        time.sleep(0.02)
reader.setblocking(False)
try: # discards earlier notifications
    while True:
        reader.recv(4096)
except BlockingIOError:
    reader.setblocking(True)
print("lives:", [told(), told()] == ["WATCHDOG", "WATCHDOG"])
os.close(writer)
while told() != "READY":
    pass
service.terminate()
print("status", service.wait())
END
