# Sourced by the tests here, with $build: the package, and systems to install it in, which are made once below $build.
skip() { echo "left out: $*"; exit 77; }

# Prints the path of the package, made in the folder $1.
make_package() {
    local log
    log=$(cd "$build" && SOURCE_DATE_EPOCH=1700000000 cpack -B "$1" 2>&1) || { echo "$log" >&2; return 1; }
    echo "$1"/*.deb
}

# Prints the folder of a Debian that has what the package $1 depends on and nothing else; or why there is none.
debian_for() {
    local depends debian fresh log
    depends=$(dpkg-deb -f "$1" Depends | sed 's/([^)]*)//g; s/ //g')
    debian=$build/debian-$(cksum <<<"$depends" | cut -d ' ' -f 1)
    exec 8>"$debian.lock" && flock 8
    if [[ ! -d $debian ]]; then
        fresh=$(mktemp -d) # debootstrap cannot work below a path with blanks
        log=$(debootstrap --variant=minbase --include="$depends" bookworm "$fresh/root" 2>&1) && mv "$fresh/root" "$debian"
        rm -rf "$fresh"
    fi
    exec 8>&-
    [[ -d $debian ]] || { tail -n 1 <<<"$log"; return 1; }
    echo "$debian"
}

# The same with the packages $2... besides.
debian_with() {
    local debian=$1 whole log
    shift
    whole=$debian-$(cksum <<<"$*" | cut -d ' ' -f 1)
    if [[ ! -d $whole ]]; then
        rm -rf "$whole.new" && cp -a "$debian" "$whole.new"
        log=$(chroot "$whole.new" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            apt-get -qq -y --no-install-recommends install "$@" 2>&1) || { tail -n 1 <<<"$log"; return 1; }
        mv "$whole.new" "$whole"
    fi
    echo "$whole"
}
