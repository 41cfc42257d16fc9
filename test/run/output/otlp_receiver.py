# A collector: its port is in FOLDER/port, what is posted in FOLDER/1, FOLDER/2, ... and a line for each in FOLDER/log. STATUS... are its first answers; then 200.
import http.server, os, sys

folder, statuses = sys.argv[1], [int(each) for each in sys.argv[2:]]


class Collector(http.server.BaseHTTPRequestHandler):
    posts = 0

    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"]))
        Collector.posts += 1
        status = statuses.pop(0) if statuses else 200
        with open(f"{folder}/{Collector.posts}", "wb") as out:
            out.write(body)
        with open(f"{folder}/log", "a") as log:
            print(self.path, self.headers["Content-Type"], status, file=log)
        self.send_response(status)
        answer = b"not so\n" if status == 400 else b""
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
