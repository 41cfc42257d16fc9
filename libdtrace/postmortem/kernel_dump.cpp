#include "libdtrace/postmortem/kernel_dump.hpp"

#include <fcntl.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <string>
#include <type_traits>

#include "base/linkage.hpp"
#include "libdtrace/postmortem/kdump_library.hpp"

namespace dt::postmortem {
namespace {

/// The soname of the library whose header is compiled here: interfaces differ between sonames.
constexpr const char* kSoname = DTRACE_KDUMP_SONAME;

/// Returns the Debian package of libNAME.so.NUMBER: libNAMENUMBER.
std::string debian_package()
{
    std::string name = kSoname;
    return name.erase(name.find(".so."), 4);
}

/// Reads the attribute `name` if it has the type `type`. libkdumpfile 0.5.1 takes the type in the structure that it
/// fills; 0.5.2 and later take it as an argument.
template <typename Get>
bool get_typed(Get get, kdump_ctx_t* context, const char* name, kdump_attr_type_t type, kdump_attr_value_t& value)
{
    if constexpr (std::is_invocable_v<Get, kdump_ctx_t*, const char*, kdump_attr_t*>) {
        kdump_attr_t attribute{type, {}};
        const bool is_found = get(context, name, &attribute) == KDUMP_OK;
        value = attribute.val;
        return is_found;
    } else {
        return get(context, name, type, &value) == KDUMP_OK;
    }
}

class KdumpFile final : public KernelDump {
public:
    KdumpFile(const KdumpLibrary& library, int descriptor)
        : library_(library), descriptor_(descriptor), context_(library.make())
    {
    }
    KdumpFile(const KdumpFile&) = delete;
    KdumpFile& operator=(const KdumpFile&) = delete;
    ~KdumpFile() override
    {
        if (context_)
            library_.free(context_);
        close(descriptor_);
    }

    Result<void> open()
    {
        if (!context_)
            return Error{std::strerror(ENOMEM), ENOMEM};
        if (library_.open(context_, 1, &descriptor_) != KDUMP_OK)
            return Error{std::string("it is no dump of a kernel: ") + library_.error_text(context_)};
        kdump_attr_t system{KDUMP_STRING, {}};
        system.val.string = "linux";
        if (library_.set(context_, KDUMP_ATTR_OSTYPE, &system) != KDUMP_OK)
            return Error{std::string("it does not say where the kernel is: ") + library_.error_text(context_)};
        utsname machine{};
        uname(&machine);
        if (const std::string of = text(KDUMP_ATTR_ARCH_NAME); of != machine.machine)
            return Error{"it is of another kind of machine: " + of};
        page_size_ = number(KDUMP_ATTR_PAGE_SIZE);
        return page_size_ != 0 ? Result<void>() : Error{"it is damaged: it has no size of pages"};
    }

    bool read(uint64_t address, std::span<uint8_t> into) override
    {
        std::size_t size = into.size();
        return library_.read(context_, KDUMP_KVADDR, address, into.data(), &size) == KDUMP_OK && size == into.size();
    }

    uint64_t noted_symbol(const char* name) override
    {
        kdump_addr_t address = 0;
        return library_.symbol(context_, name, &address) == KDUMP_OK ? address : 0;
    }

    uint64_t page_size() const override { return page_size_; }

private:
    std::string text(const char* name)
    {
        kdump_attr_value_t found{};
        return get_typed(library_.get, context_, name, KDUMP_STRING, found) ? found.string : "";
    }
    uint64_t number(const char* name)
    {
        kdump_attr_value_t found{};
        return get_typed(library_.get, context_, name, KDUMP_NUMBER, found) ? found.number : 0;
    }

    const KdumpLibrary& library_;
    const int descriptor_;
    kdump_ctx_t* const context_;
    uint64_t page_size_ = 0;
};

} // namespace

const KdumpLibrary* kdump_library()
{
    static KdumpLibrary kdump;
    void* const library = open_library(kSoname);
    const bool is_whole =
        library && find_function(library, kdump.make, "kdump_new") &&
        find_function(library, kdump.free, "kdump_free") && find_function(library, kdump.error_text, "kdump_get_err") &&
        find_function(library, kdump.open, "kdump_open_fdset") && find_function(library, kdump.set, "kdump_set_attr") &&
        find_function(library, kdump.get, "kdump_get_typed_attr") && find_function(library, kdump.read, "kdump_read") &&
        find_function(library, kdump.symbol, "kdump_vmcoreinfo_symbol");
    return is_whole ? &kdump : nullptr;
}

Result<std::unique_ptr<KernelDump>> open_kernel_dump(const std::string& path)
{
    const KdumpLibrary* const library = kdump_library();
    if (!library)
        return Error{missing_library("reading a dump", kSoname, debian_package())};
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0)
        return Error{std::strerror(errno), errno};
    auto dump = std::make_unique<KdumpFile>(*library, descriptor);
    if (Result<void> opened = dump->open(); !opened)
        return opened.error();
    return Result<std::unique_ptr<KernelDump>>(std::move(dump));
}

} // namespace dt::postmortem
