#@ what:    an invalid or too large request to the service, or one above the rate limit, gets an HTTP status and a reason, and changes nothing
#@ needs:   python3
. ./service.bash
start
code() { ask "$@" -o "$TMP/body" -w '%{http_code} '; grep -oE '"error":"[^"]{0,40}' "$TMP/body" || echo; }
code /
code /v2/scripts
code /v1/scripts/nobody
code /v1/scripts -X PUT
code /v1/reload
code /v1/scripts -X POST
code '/v1/scripts?name=..%2Fetc' -X POST -d 'BEGIN'
code '/v1/scripts?name=x' -X POST -d 'BEGIN { x = ; }'
code '/v1/scripts?path=relative.d' -X POST
head -c 1100000 /dev/zero | tr '\0' ' ' >"$TMP/large"
code '/v1/scripts?name=large' -X POST -H 'Expect:' --data-binary "@$TMP/large"
for i in {1..300}; do echo "url = http://service/v1"; echo "output = /dev/null"; done |
    curl -s --unix-socket "$socket" -K - -w '%{http_code}\n' | sort -u
sleep 1.1
ask /v1/scripts | python3 -c 'import json, sys; print([(each["name"], each["state"]) for each in json.load(sys.stdin)["scripts"]])'
stop
