# Sourced by the tests here, with $build: the packages, and systems to install them in, which are made once below $build.
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
skip() { echo "left out: $*"; exit 77; }

# Ends the test as left out where packages cannot be made and installed.
need_package_tools() {
    [[ $EUID == 0 ]] || skip "not root"
    command -v dpkg-buildpackage dh dh_python3 >/dev/null || skip "dpkg-dev, debhelper or dh-python is missing"
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

# Prints the folder of a Debian 12 that has what the package $1 depends on and nothing else; or why there is none.
debian_for() {
    local minimal depends
    minimal=$("$tree/test/minimal_debian" bookworm 2>&1) || { tail -n 1 <<<"$minimal"; return 1; }
    depends=$(dpkg-deb -f "$1" Depends | sed 's/([^)]*)//g; s/,//g')
    # shellcheck disable=SC2086 # names
    debian_with "$(tail -n 1 <<<"$minimal")" $depends
}

# Prints the folder of a Debian like $1 that has the packages $2... as well; or why there is none. It lies below $build.
debian_with() {
    local debian=$1 whole log
    shift
    whole=$build/debian-$(cksum <<<"$debian $*" | cut -d ' ' -f 1)
    exec 8>"$whole.lock" && flock 8
    if [[ ! -d $whole ]]; then
        rm -rf "$whole.new" && cp -a "$debian" "$whole.new"
        log=$(chroot "$whole.new" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin \
            sh -c 'apt-get -qq update; apt-get -qq -y --no-install-recommends install "$@"' sh "$@" 2>&1) || { tail -n 1 <<<"$log"; return 1; }
        mv "$whole.new" "$whole"
    fi
    exec 8>&-
    echo "$whole"
}
