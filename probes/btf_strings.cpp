// BTF layout: include/uapi/linux/btf.h (struct btf_header, then the sections at hdr_len + offset).
#include "probes/btf_strings.hpp"

#include <fcntl.h>
#include <linux/btf.h>
#include <string.h>
#include <unistd.h>

namespace dt::probes {

std::string read_btf_strings(const char* path)
{
    std::string strings;
    const int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return strings;
    btf_header header{};
    if (pread(fd, &header, sizeof header, 0) == static_cast<ssize_t>(sizeof header) && header.magic == BTF_MAGIC) {
        const auto start = static_cast<off_t>(header.hdr_len) + static_cast<off_t>(header.str_off);
        strings.resize(header.str_len);
        std::size_t have = 0;
        for (ssize_t got = 1; got > 0 && have < strings.size();) {
            got = pread(fd, strings.data() + have, strings.size() - have, start + static_cast<off_t>(have));
            have += got > 0 ? static_cast<std::size_t>(got) : 0;
        }
        strings.resize(have);
    }
    close(fd);
    return strings;
}

bool has_btf_string(std::string_view strings, std::string_view name)
{
    const std::string needle = '\0' + std::string(name) + '\0'; // the section begins with the empty string, but a module's goes on from the core's
    return strings.starts_with(std::string_view(needle).substr(1)) || memmem(strings.data(), strings.size(), needle.data(), needle.size()) != nullptr;
}

} // namespace dt::probes
