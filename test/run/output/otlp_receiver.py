# otlp_receiver.py FOLDER ANSWER...: a collector. Writes its port to FOLDER/port, metrics messages to FOLDER/1, FOLDER/2, ..., messages with records to FOLDER/logs1, ..., and a line for each message to FOLDER/log. It replies to
# the first messages with each ANSWER, then with 200. An ANSWER is a status; 503:SECONDS requests a retry after SECONDS, and 200:N:TEXT rejects N of the entries with the reason TEXT.
import http.server, os, sys, time

folder, answers = sys.argv[1], sys.argv[2:]


def partial(count, text):
    inner = b"\x08" + bytes([count]) + b"\x12" + bytes([len(text)]) + text.encode()
    return b"\x0a" + bytes([len(inner)]) + inner


class Collector(http.server.BaseHTTPRequestHandler):
    posts = {}
    not_before = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        kind = "logs" if self.path == "/v1/logs" else ""
        number = Collector.posts[kind] = Collector.posts.get(kind, 0) + 1
        early = " too early" if time.monotonic() < Collector.not_before else ""
        status, *more = (answers.pop(0) if answers else "200").split(":")
        with open(f"{folder}/{kind}{number}", "wb") as out:
            out.write(body)
        secrets = "".join(f" {name}={self.headers[name]}" for name in ("Authorization", "X-Scope") if name in self.headers)
        with open(f"{folder}/log", "a") as log:
            print(f"{self.path} {self.headers['Content-Type']} {status}{secrets}{early}", file=log)
        self.send_response(int(status))
        answer = b"not so\n" if status == "400" else b""
        if status == "503" and more:
            self.send_header("Retry-After", more[0])
            Collector.not_before = time.monotonic() + int(more[0])
        elif status == "200" and more:
            answer = partial(int(more[0]), more[1])
        self.send_header("Content-Length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_):
        pass


server = http.server.HTTPServer(("127.0.0.1", 0), Collector)
with open(f"{folder}/port.new", "w") as out:
    print(server.server_port, file=out)
os.rename(f"{folder}/port.new", f"{folder}/port")
server.serve_forever()
