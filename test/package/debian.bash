# Functions for the package tests, which source this file and set $build. Builds the packages, and creates Debian
# systems to install them in. Both are created once, below $build.
tree=$(realpath "$(dirname "${BASH_SOURCE[0]}")/../..")
skip() { echo "left out: $*"; exit 77; }

# Skips the test if this machine cannot build and install packages.
need_package_tools() {
    [[ $EUID == 0 ]] || skip "not root"
    type -P dpkg-buildpackage dh dh_python3 >/dev/null || skip "dpkg-dev, debhelper or dh-python is missing"
}

# make_package FOLDER: builds the packages in FOLDER, and prints the path of the package that contains the command
# dtrace.
make_package() {
    local log
    log=$("$tree/package/deb" "$build" "$1" 2>&1) || { echo "$log" >&2; return 1; }
    echo "$1"/dtrace-ebpf_*.deb
}

# Prints the path of the package that contains the command dtrace, in a folder that tests share. Rebuilds the packages
# if one of their files has changed.
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

# debian_for PACKAGE: prints the folder of a Debian 12 with only the dependencies of PACKAGE, or the reason why it cannot be created.
debian_for() {
    local minimal depends
    minimal=$("$tree/test/minimal_debian" bookworm 2>&1) || { tail -n 1 <<<"$minimal"; return 1; }
    depends=$(dpkg-deb -f "$1" Depends | sed 's/([^)]*)//g; s/,//g')
    # shellcheck disable=SC2086 # names
    debian_with "$(tail -n 1 <<<"$minimal")" $depends
}

# debian_with FOLDER PACKAGE...: prints the folder, below $build, of a copy of the Debian in FOLDER with these packages added, or the reason why it cannot be created.
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
