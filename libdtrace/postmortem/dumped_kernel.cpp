// Opens a dump with libkdumpfile, and decodes the kernel's symbol table and types in it.
#include "libdtrace/postmortem/dumped_kernel.hpp"

#include <bpf/btf.h>
#include <fcntl.h>
#include <libkdumpfile/kdumpfile.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>

#include "base/linkage.hpp"

// libkdumpfile, which reads kernel dumps. It is opened at run time, so that only --postmortem needs it.

namespace dt::postmortem {

/// Functions of libkdumpfile, with the types from its header.
struct KdumpLibrary : OpenedLibrary {
    using OpenedLibrary::OpenedLibrary;

    decltype(&kdump_new) make = find("kdump_new");
    decltype(&kdump_free) free = find("kdump_free");
    decltype(&kdump_get_err) error_text = find("kdump_get_err");
    decltype(&kdump_open_fdset) open = find("kdump_open_fdset");
    decltype(&kdump_set_attr) set = find("kdump_set_attr");
    decltype(&kdump_get_typed_attr) get = find("kdump_get_typed_attr");
    decltype(&kdump_read) read = find("kdump_read");
    decltype(&kdump_vmcoreinfo_symbol) symbol = find("kdump_vmcoreinfo_symbol");
};

/// Returns the functions of libkdumpfile, or null if the library is not installed.
const KdumpLibrary* kdump_library();

namespace {

constexpr uint32_t kMaxSymbols = 4 << 20;
constexpr uint64_t kMaxTypes = 256 << 20; // maximum size of the kernel's type information in bytes
constexpr std::size_t kTokens = 256, kMaxName = 512;

/// Reads consecutive bytes, one page of the dump at a time.
class Cursor {
public:
    Cursor(KernelDump& dump, uint64_t at) : dump_(dump), at_(at), page_(dump.page_size()) {}

    std::optional<uint8_t> next()
    {
        const uint64_t base = at_ / page_.size() * page_.size();
        if (base != read_ && !dump_.read(base, page_))
            return std::nullopt;
        read_ = base;
        return page_[at_++ - base];
    }

private:
    KernelDump& dump_;
    uint64_t at_, read_ = UINT64_MAX;
    std::vector<uint8_t> page_;
};

/// Reads the kernel's compressed list of symbol names (scripts/kallsyms.c). Each entry consists of a number n and n
/// indexes of tokens, whose texts are joined. The first character of the joined text is the symbol's type.
class CompressedNames {
public:
    explicit CompressedNames(KernelDump& dump)
        : dump_(dump), names_(dump, dump.noted_symbol("kallsyms_names")),
          tokens_at_(dump.noted_symbol("kallsyms_token_table")), index_at_(dump.noted_symbol("kallsyms_token_index"))
    {
    }

    bool read_tokens()
    {
        uint16_t index[kTokens];
        if (tokens_at_ == 0 || index_at_ == 0 || !dump_.read_as(index_at_, index))
            return false;
        for (std::size_t i = 0; i < kTokens; ++i) {
            Cursor text(dump_, tokens_at_ + index[i]);
            for (std::optional<uint8_t> each; (each = text.next()) && *each != 0 && tokens_[i].size() < kMaxName;)
                tokens_[i] += static_cast<char>(*each);
        }
        return true;
    }

    /// Returns the next name, or an empty name if the list is damaged.
    const std::string& next()
    {
        name_.clear();
        const auto low = names_.next();
        std::size_t length = low.value_or(0);
        if (length & 0x80) { // the first number (the length) of a long name takes two bytes (since Linux 6.1)
            const auto high = names_.next();
            length = (length & 0x7f) | std::size_t{high.value_or(0)} << 7;
        }
        for (; length > 0; --length) {
            const auto token = names_.next();
            if (!token || name_.size() > kMaxName)
                break;
            name_ += tokens_[*token];
        }
        if (length != 0)
            name_.clear();
        return name_;
    }

private:
    KernelDump& dump_;
    Cursor names_;
    const uint64_t tokens_at_, index_at_;
    std::string tokens_[kTokens], name_;
};

/// Converts symbol offsets to addresses. The base of the offsets differs between kernel versions. It is computed from a
/// symbol whose address is also in the dump's notes.
class SymbolOffsets {
public:
    SymbolOffsets(uint64_t at, std::vector<int32_t> offsets, uint32_t known, uint64_t address)
        : at_(at), offsets_(std::move(offsets))
    {
        const int32_t offset = offsets_[known];
        from_place_ = place(known) == address;
        counts_down_ = !from_place_ && offset < 0;
        base_ = counts_down_ ? address + static_cast<uint64_t>(int64_t{offset}) + 1
                             : address - static_cast<uint32_t>(offset);
    }

    /// Returns the address of a symbol, or nothing if the symbol is an absolute number.
    std::optional<uint64_t> address(uint32_t i) const
    {
        const auto extended = static_cast<uint64_t>(int64_t{offsets_[i]});
        if (from_place_) // since Linux 7, an offset is relative to the address at which the offset itself is stored
            return place(i);
        if (!counts_down_)
            return base_ + static_cast<uint32_t>(offsets_[i]);
        // With CONFIG_KALLSYMS_ABSOLUTE_PERCPU, an offset that is not negative is an absolute number.
        if (offsets_[i] >= 0)
            return std::nullopt;
        return base_ - 1 - extended;
    }

private:
    uint64_t place(uint32_t i) const { return at_ + i * sizeof(int32_t) + static_cast<uint64_t>(int64_t{offsets_[i]}); }

    const uint64_t at_;
    const std::vector<int32_t> offsets_;
    bool from_place_ = false, counts_down_ = false;
    uint64_t base_ = 0;
};

/// Returns the symbol's name in a decoded entry: the text after the first character, which is the type.
std::string_view name_in(const std::string& text)
{
    return std::string_view(text).substr(1);
}

constexpr const char* kWanted[] = {"_stext", "__start_BTF", "__stop_BTF", "map_idr", "__per_cpu_offset", "nr_cpu_ids"};

} // namespace

DumpedKernel::DumpedKernel(DumpedKernel&& other) noexcept
    : dump_(other.dump_), kallsyms_(std::move(other.kallsyms_)), wanted_(std::move(other.wanted_)),
      types_(std::exchange(other.types_, nullptr))
{
}

DumpedKernel::~DumpedKernel()
{
    btf__free(types_);
}

Result<DumpedKernel> DumpedKernel::read(KernelDump& dump)
{
    DumpedKernel kernel(dump);
    if (Result<void> read = kernel.read_symbols(); !read)
        return read.error();
    if (Result<void> read = kernel.read_types(); !read)
        return read.error();
    return kernel;
}

Result<void> DumpedKernel::read_symbols()
{
    const uint64_t first = dump_->noted_symbol("_stext"), offsets_at = dump_->noted_symbol("kallsyms_offsets"),
                   count_at = dump_->noted_symbol("kallsyms_num_syms");
    if (first == 0)
        return Error{"it has no vmcoreinfo note: run QEMU with -device vmcoreinfo, and load qemu_fw_cfg in the guest"};
    uint32_t count = 0;
    CompressedNames names(*dump_);
    if (offsets_at == 0 || count_at == 0)
        return Error{"its kernel does not record where its symbols are: Linux 6.0 or later is needed"};
    if (!dump_->read_as(count_at, count) || count == 0 || count > kMaxSymbols || !names.read_tokens())
        return Error{"the symbols of its kernel are not in the dump"};
    std::vector<int32_t> offsets(count);
    if (!dump_->read(offsets_at, {reinterpret_cast<uint8_t*>(offsets.data()), count * sizeof(int32_t)}))
        return Error{"the symbols of its kernel are not in the dump"};
    std::vector<std::string> texts;
    texts.reserve(count);
    std::optional<uint32_t> known;
    for (uint32_t i = 0; i < count; ++i) {
        texts.push_back(names.next());
        if (texts.back().empty())
            return Error{"the symbols of its kernel are damaged"};
        if (name_in(texts.back()) == "_stext")
            known = i;
    }
    if (!known)
        return Error{"the symbols of its kernel are damaged"};
    const SymbolOffsets addresses(offsets_at, std::move(offsets), *known, first);
    for (uint32_t i = 0; i < count; ++i)
        if (const auto address = addresses.address(i))
            add_symbol(*address, texts[i]);
    return {};
}

void DumpedKernel::add_symbol(uint64_t address, const std::string& text)
{
    char line[32];
    snprintf(line, sizeof line, "%016" PRIx64 " %c ", address, text[0]);
    const std::string_view name = name_in(text);
    kallsyms_.append(line).append(name) += '\n';
    if (std::find(std::begin(kWanted), std::end(kWanted), name) != std::end(kWanted))
        wanted_.emplace(name, address);
}

uint64_t DumpedKernel::symbol(std::string_view name) const
{
    const auto found = wanted_.find(name);
    return found != wanted_.end() ? found->second : 0;
}

Result<void> DumpedKernel::read_types()
{
    const uint64_t start = symbol("__start_BTF"), end = symbol("__stop_BTF");
    if (start == 0 || end <= start || end - start > kMaxTypes)
        return Error{"its kernel has no type information (CONFIG_DEBUG_INFO_BTF, CONFIG_KALLSYMS_ALL)"};
    std::vector<uint8_t> bytes(end - start);
    if (!dump_->read(start, bytes))
        return Error{"the type information of its kernel is not in the dump"};
    types_ = btf__new(bytes.data(), static_cast<uint32_t>(bytes.size()));
    return types_ ? Result<void>() : Error{"the type information of its kernel is damaged"};
}

std::optional<DumpedKernel::Found> DumpedKernel::member_of(uint32_t id, std::string_view name, unsigned depth) const
{
    const btf_type* const type = btf__type_by_id(types_, id);
    if (!type || depth == 0 || (!btf_is_struct(type) && !btf_is_union(type)))
        return std::nullopt;
    const btf_member* const members = btf_members(type);
    for (uint32_t i = 0; i < btf_vlen(type); ++i) {
        const uint64_t offset = btf_member_bit_offset(type, i) / 8;
        const char* const own = btf__name_by_offset(types_, members[i].name_off);
        if (own && own == name)
            return Found{offset, members[i].type};
        if (own && *own == 0)
            if (auto inner = member_of(members[i].type, name, depth - 1))
                return Found{offset + inner->offset, inner->type};
    }
    return std::nullopt;
}

std::optional<DumpedKernel::Found> DumpedKernel::find_member(const char* structure, std::string_view member) const
{
    const int id = btf__find_by_name_kind(types_, structure, BTF_KIND_STRUCT);
    return id < 0 ? std::nullopt : member_of(static_cast<uint32_t>(id), member, 8);
}

std::optional<uint64_t> DumpedKernel::offset(const char* structure, std::string_view member) const
{
    const auto found = find_member(structure, member);
    return found ? std::optional(found->offset) : std::nullopt;
}

std::optional<uint64_t> DumpedKernel::size(const char* structure) const
{
    const int id = btf__find_by_name_kind(types_, structure, BTF_KIND_STRUCT);
    const btf_type* const type = id < 0 ? nullptr : btf__type_by_id(types_, static_cast<uint32_t>(id));
    return type ? std::optional<uint64_t>(type->size) : std::nullopt;
}

std::optional<uint32_t> DumpedKernel::elements(const char* structure, std::string_view member) const
{
    const auto found = find_member(structure, member);
    const btf_type* const type = found ? btf__type_by_id(types_, found->type) : nullptr;
    return type && btf_is_array(type) ? std::optional(btf_array(type)->nelems) : std::nullopt;
}

namespace {

/// Name of the shared library (soname) that matches the header with which this file is compiled. Libraries with another
/// soname have a different interface.
constexpr const char* kSoname = DTRACE_KDUMP_SONAME;

/// Returns the name of the Debian package for libNAME.so.NUMBER: libNAMENUMBER.
std::string debian_package()
{
    std::string name = kSoname;
    return name.erase(name.find(".so."), 4);
}

/// Reads the attribute `name` of a dump if the attribute has the type `type`. libkdumpfile 0.5.1 expects the type in
/// the structure that it fills; version 0.5.2 and later expect it as an argument.
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
            return Error{std::string("it is not a kernel dump: ") + library_.error_text(context_)};
        kdump_attr_t system{KDUMP_STRING, {}};
        system.val.string = "linux";
        if (library_.set(context_, KDUMP_ATTR_OSTYPE, &system) != KDUMP_OK)
            return Error{std::string("it does not contain the address of the kernel: ") +
                         library_.error_text(context_)};
        utsname machine{};
        uname(&machine);
        if (const std::string of = text(KDUMP_ATTR_ARCH_NAME); of != machine.machine)
            return Error{"it is from another kind of machine: " + of};
        page_size_ = number(KDUMP_ATTR_PAGE_SIZE);
        return page_size_ != 0 ? Result<void>() : Error{"it is damaged: it does not contain the page size"};
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
    static const KdumpLibrary kdump(kSoname);
    return kdump.is_complete() ? &kdump : nullptr;
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
