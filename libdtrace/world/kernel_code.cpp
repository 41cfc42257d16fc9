#include "libdtrace/world/kernel_code.hpp"

#include <elf.h>
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <string_view>

#include "base/descriptor.hpp"

namespace dt {
namespace {

constexpr std::size_t kLongestFunction = 256 << 10; ///< bytes; a function that seems longer includes other code

/// Kernel memory from /proc/kcore, by address.
class KernelMemory {
public:
    /// Opens the file. The error contains errno.
    static Result<KernelMemory> open(const std::string& path)
    {
        KernelMemory memory(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
        Elf64_Ehdr header{};
        if (!memory.file_)
            return Error{std::strerror(errno), errno};
        if (!memory.read_file(&header, sizeof header, 0) || std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 ||
            header.e_ident[EI_CLASS] != ELFCLASS64 || header.e_phentsize != sizeof(Elf64_Phdr))
            return Error{"it is no core file of 64 bits", EINVAL};
        memory.parts_.resize(header.e_phnum);
        if (!memory.read_file(memory.parts_.data(), memory.parts_.size() * sizeof(Elf64_Phdr), header.e_phoff))
            return Error{"it ends too early", EINVAL};
        return memory;
    }

    /// Reads the available bytes into `to` and returns them.
    std::span<const uint8_t> read(uint64_t address, std::span<uint8_t> to) const
    {
        const auto part = std::find_if(parts_.begin(), parts_.end(), [address](const Elf64_Phdr& each) {
            return each.p_type == PT_LOAD && address >= each.p_vaddr && address - each.p_vaddr < each.p_filesz;
        });
        if (part == parts_.end())
            return {};
        const uint64_t from = address - part->p_vaddr;
        const std::size_t size = std::min<uint64_t>(to.size(), part->p_filesz - from);
        return read_file(to.data(), size, part->p_offset + from) ? to.first(size) : std::span<uint8_t>();
    }

private:
    explicit KernelMemory(int file) : file_(file) {}

    bool read_file(void* to, std::size_t size, uint64_t offset) const
    {
        return pread(file_.get(), to, size, static_cast<off_t>(offset)) == static_cast<ssize_t>(size);
    }

    Descriptor file_;
    std::vector<Elf64_Phdr> parts_;
};

struct Placed {
    uint64_t address = 0;
    std::string_view name; ///< name owned by the view; empty if the function cannot be traced
};

/// Returns all functions sorted by address. Functions that cannot be traced are included, because their start ends the
/// function before.
std::vector<Placed> placed_functions(probes::KernelView& kernel)
{
    const std::span<const probes::KernelFunction> traceable = kernel.traceable();
    std::vector<Placed> placed;
    kernel.for_each_symbol([&](std::string_view, std::string_view name, uint64_t address) {
        const auto found = std::lower_bound(
            traceable.begin(), traceable.end(), name,
            [](const probes::KernelFunction& each, std::string_view wanted) { return each.name < wanted; });
        const bool is_traceable = found != traceable.end() && found->name == name;
        placed.push_back({address, is_traceable ? found->name : std::string_view()});
    });
    std::sort(placed.begin(), placed.end(), [](const Placed& a, const Placed& b) { return a.address < b.address; });
    return placed;
}

} // namespace

Result<std::vector<std::string>> functions_that_make(probes::KernelView& kernel, const std::string& proc,
                                                     int32_t number)
{
    const std::string path = proc + "/kcore";
    const Result<KernelMemory> memory = KernelMemory::open(path);
    if (!memory)
        return Error{"cannot read the kernel's code in " + path + ": " + memory.error().message, memory.error().code};
    const std::vector<Placed> functions = placed_functions(kernel);
    std::vector<uint8_t> bytes(kLongestFunction);
    std::vector<std::string> found;
    for (std::size_t i = 0; i < functions.size(); ++i) {
        const uint64_t end = i + 1 < functions.size() ? functions[i + 1].address : functions[i].address;
        const std::size_t size = std::min<uint64_t>(end - functions[i].address, kLongestFunction);
        if (functions[i].name.empty() || size == 0)
            continue;
        const std::span<const uint8_t> code = memory.value().read(functions[i].address, std::span(bytes).first(size));
        if (kernel.machine().may_make(code, number))
            found.emplace_back(functions[i].name);
    }
    std::sort(found.begin(), found.end());
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

} // namespace dt
