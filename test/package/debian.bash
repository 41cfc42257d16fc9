# Sourced by the tests here, with $build: the packages, and systems to install them in, which are made once below $build.
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
skip() { echo "left out: $*"; exit 77; }

# Ends the test as left out where packages cannot be made and installed.
need_package_tools() {
    [[ $EUID == 0 ]] || skip "not root"
    command -v debootstrap dpkg-buildpackage dh dh_python3 >/dev/null || skip "debootstrap, dpkg-dev, debhelper or dh-python is missing"
}

# Makes the packages in the folder $1 and prints the path of the command's.
make_package() {
    local log
    log=$("$tree/package/deb" "$build" "$1" 2>&1) || { echo "$log" >&2; return 1; }
    echo "$1"/dtrace-ebpf_*.deb
}

# Prints the path of the command's package in a folder that tests share. Makes the packages anew when one of their files has changed.
shared_package() {
    local folder=$build/package-shared
    exec 7>"$folder.lock" && flock 7
    if [[ ! -e $folder/made || -n $(find "$tree"/{debian,package,man,tools,examples,api,README.md} "$build"/{dtrace,*.so.*} -newer "$folder/made" -print -quit) ]]; then
        make_package "$folder" >/dev/null || return 1
        : >"$folder/made"
    fi
    exec 7>&-
    echo "$folder"/dtrace-ebpf_*.deb
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

# Prints the folder of a Debian that has the packages $2... as well.
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
