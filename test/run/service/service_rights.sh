#@ what:    users other than root may query a service, if the socket's mode allows it, but may not change scripts; a script that every user may write is refused
. ./service.bash
open=$(mktemp -d /tmp/dtrace-service-XXXXXX) socket=$open/control # $TMP is closed to others
trap 'rm -r "$open"' EXIT
script good <<<'BEGIN { x = 1; }'
script loose <<<'BEGIN { x = 1; }'
chmod 666 "$dir/loose.d"
start
stat -c '%A' "$socket" | cut -c 8-
chmod 755 "$open"
as_nobody() { setpriv --reuid 65534 --regid 65534 --clear-groups curl -s -w ' %{http_code}\n' --unix-socket "$socket" "http://service$1" "${@:2}"; }
as_nobody /v1/scripts >/dev/null || echo "not opened: $?"
chmod 666 "$socket"
as_nobody /v1/scripts/good | grep -oE '"state":"[a-z]*"|200$'
as_nobody '/v1/scripts?name=mine' -X POST -d 'BEGIN { x = 1; }'
as_nobody /v1/scripts/good -X DELETE | grep -o 403
as_nobody /v1/reload -X POST | grep -o 403
state good
state loose
ask /v1/scripts/loose | value error | grep -o 'users other than root may change it'
stop
