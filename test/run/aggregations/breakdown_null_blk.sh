#@ what:    breakdown(): what a disk takes that completes each request after a known time (null_blk) is disk: within 2 % or 1 ms of that time
#@ needs:   guest
. ./known_parts
load_module fs/configfs/configfs || : # it is in the kernel
load_module drivers/block/null_blk/null_blk queue_mode=2 irqmode=2 completion_nsec=50000000 gb=1 nr_devices=1 || exit 77
trap 'busybox rmmod null_blk' EXIT
for part in direct buffered; do cp "$PROGS/reads" "$TMP/part_$part"; done
known_parts 'direct:disk buffered:disk' "sh -c 'for part in direct buffered; do $TMP/part_\$part /dev/nullb0 40 \$part; done >$TMP/truth'"
tr -d '\r' <"$TMP/known.csv" | awk -F, -v show="${SHOW:-}" '
    $1 == "@_" && $3 == "disk" { is[$2] = $4 }
    END {
        real = 40 * 50000000
        for (part in is) {
            if (show) print part, is[part], "of", real
            print part, (is[part] >= real && is[part] <= real * 1.02 ? "within 2 %" : is[part] " and not " real)
        }
    }' | sort
