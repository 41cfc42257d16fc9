#@ what:    breakdown() counts requests to a null_blk disk as part "disk", and differs by at most 2 % from the latency set for the disk
#@ needs:   guest
. ./known_parts
load_module fs/configfs/configfs || : # configfs may be built into the kernel
load_module drivers/block/null_blk/null_blk queue_mode=2 irqmode=2 completion_nsec=200000000 gb=1 nr_devices=1 || { echo "null_blk cannot be loaded"; exit 77; }
trap 'busybox rmmod null_blk' EXIT
for part in direct buffered; do cp "$PROGS/reads" "$TMP/part_$part"; done
known_parts 'direct:disk buffered:disk' "sh -c 'for part in direct buffered; do $TMP/part_\$part /dev/nullb0 10 \$part; done >$TMP/truth'"
# The part "disk" is at least the latency of the requests. A late timer of the disk can make the part longer, but never longer than the waiting time that the kernel counts.
tr -d '\r' <"$TMP/known.csv" | awk -F, -v truth="$TMP/truth" '
    BEGIN { while ((getline line <truth) > 0) { split(line, w, " "); if (w[2] == "truth") waited["part_" w[1]] = w[3] } }
    $1 == "@_" && $3 == "disk" { is[$2] = $4 }
    END {
        real = 10 * 200000000
        for (part in is) {
            most = waited[part] > real ? waited[part] : real
            print part, (is[part] >= real && is[part] <= most * 1.02 ? "as long as the requests" : is[part] " of " real ", waited " waited[part])
            if (ENVIRON["SHOW"]) print part, is[part], "of", real
        }
    }' | sort
