#@ what:    --lsp answers an editor with errors (position, tag, hint), completions and hover text, and exits when asked
#@ needs:   syscall python3
cat >"$TMP/editor.py" <<'P'
import json, subprocess, sys

server = subprocess.Popen([sys.argv[1], "--lsp"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
asked = 0


def send(**message):
    text = json.dumps({"jsonrpc": "2.0", **message}).encode()
    server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
    server.stdin.flush()


def receive():
    length = 0
    while (line := server.stdout.readline().strip()):
        name, value = line.split(b":")
        length = int(value) if name == b"Content-Length" else length
    return json.loads(server.stdout.read(length))


def ask(method, **params):
    global asked
    asked += 1
    send(id=asked, method=method, params=params)
    answer = receive()
    assert answer["id"] == asked, answer
    return answer.get("result", answer.get("error"))


def at(line, character):
    return {"textDocument": {"uri": URI}, "position": {"line": line, "character": character}}


URI = "file:///tmp/a.d"
text = '#!/usr/sbin/dtrace -s\n/* 𝄞é */ syscall::openat:entry\n{\n\tself->since = timestamp;\n\t@opens[execname] = cuont();\n}\n'
print(sorted(ask("initialize", processId=None, rootUri=None, capabilities={})["capabilities"]))
send(method="initialized", params={})
send(method="textDocument/didOpen", params={"textDocument": {"uri": URI, "languageId": "d", "version": 1, "text": text}})
for each in receive()["params"]["diagnostics"]:
    print(each["code"], each["range"]["start"], each["severity"], each["message"].split("\n")[-1])
text = text.replace("cuont", "count")
send(method="textDocument/didChange", params={"textDocument": {"uri": URI, "version": 2}, "contentChanges": [{"text": text}]})
print(receive()["params"]["diagnostics"])
print(ask("textDocument/hover", **at(3, 9))["contents"]["value"])
print(ask("textDocument/hover", **at(4, 4))["contents"]["value"])
print(ask("textDocument/hover", **at(4, 11))["contents"]["value"].strip())
print(ask("textDocument/hover", **at(1, 20))["contents"]["value"].split("\n")[0])
print(ask("textDocument/hover", **at(2, 0)))
text += "syscall::opena\n"
send(method="textDocument/didChange", params={"textDocument": {"uri": URI, "version": 3}, "contentChanges": [{"text": text}]})
receive()
found = ask("textDocument/completion", **at(6, 14))
print([each["label"] for each in found["items"] if each["label"] == "openat"], found["items"][0]["textEdit"]["range"]["start"])
print(ask("textDocument/definition", **at(0, 0)))
send(method="textDocument/didClose", params={"textDocument": {"uri": URI}})
print(receive()["params"])
print(ask("shutdown"))
send(method="exit")
print("status", server.wait())
P
python3 "$TMP/editor.py" "$DTRACE"
printf 'Content-Length: 99999999999\r\n\r\n' | "$DTRACE" --lsp; printf "\nstatus %s\n" $?
