#@ what:    requesttime.d splits the time of a server's requests, which several threads serve, into parts, one of which is queueing
#@ needs:   syscall
#@ timeout: 60
cp "$PROGS/pool" "$TMP/served"
"$DTRACE" -s requesttime.d served -c "$TMP/served serves 3" >"$TMP/shown"
awk '$1 == "queued" && $2 ~ /^[0-9]/ { least += $2 }
    $3 == "connections," { print $1, $2, $3; wall = 3e6 * $4 }
    $2 ~ /^\|/ { sum += $NF; part[$1] = $NF }
    END {
        print (part["queued"] >= least && least > 0 ? "queued" : part["queued"] ", not " least)
        print (part["user"] + part["kernel"] + part["interrupt"] >= 59e6 ? "computed" : part["user"] + part["kernel"])
        print (sum >= wall * 0.999 && sum <= (wall + 3e6) * 1.02 ? "all of it" : sum " of " wall)
    }' "$TMP/shown"
"$DTRACE" -s requesttime.d nobody -c "$TMP/served serves 1" | awk '/connections/ { n++ } END { print n + 0 }'
