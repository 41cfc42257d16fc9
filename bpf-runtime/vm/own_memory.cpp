// Lets the kernel copy, so that an unmapped address gives an error instead of a signal.
#include "bpf-runtime/vm/own_memory.hpp"

#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace dt::vm {
namespace {

constexpr uint64_t kProcessPage = 4096; // divides the page size of every kernel

bool copy(std::span<uint8_t> to, uint64_t address)
{
    const iovec local{to.data(), to.size()}, remote{reinterpret_cast<void*>(address), to.size()};
    return process_vm_readv(getpid(), &local, 1, &remote, 1, 0) == static_cast<ssize_t>(to.size());
}

} // namespace

int read_own_memory(std::span<uint8_t> to, uint64_t address)
{
    if (to.empty() || copy(to, address))
        return 0;
    std::memset(to.data(), 0, to.size());
    return -EFAULT;
}

int64_t read_own_text(std::span<uint8_t> to, uint64_t address)
{
    for (std::size_t done = 0; done < to.size();) {
        const std::size_t part =
            std::min<std::size_t>(to.size() - done, kProcessPage - (address + done) % kProcessPage);
        const auto piece = to.subspan(done, part);
        if (!copy(piece, address + done)) {
            std::memset(to.data(), 0, to.size());
            return -EFAULT;
        }
        done += part;
        if (const auto end = std::find(piece.begin(), piece.end(), 0); end != piece.end())
            return end - to.begin() + 1;
    }
    if (!to.empty())
        to.back() = 0;
    return static_cast<int64_t>(to.size());
}

} // namespace dt::vm
