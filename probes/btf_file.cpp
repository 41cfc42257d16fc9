// Reads BTF (include/uapi/linux/btf.h: struct btf_header, then the sections at hdr_len + offset). The kernel has
// verified its own BTF, but not the BTF of modules, so references outside of the file and cycles are rejected.
#include "probes/btf_file.hpp"

#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <functional>
#include <optional>
#include <utility>

namespace dt::probes {
namespace {

constexpr unsigned kFewScans = 8; // number of linear searches that together cost as much as building the index of names
// maximum length of a chain of types that refer to each other, such as pointers and typedefs
constexpr unsigned kLongestChain = 256;

/// Returns the number of bytes after the head of a type (struct btf_type), which depends on its kind. Returns nothing
/// for an unknown kind.
std::optional<std::size_t> bytes_behind(uint32_t info)
{
    const std::size_t count = BTF_INFO_VLEN(info);
    switch (BTF_INFO_KIND(info)) {
    case BTF_KIND_INT:
    case BTF_KIND_VAR:
    case BTF_KIND_DECL_TAG:
        return 4;
    case BTF_KIND_ARRAY:
        return sizeof(btf_array);
    case BTF_KIND_STRUCT:
    case BTF_KIND_UNION:
        return count * sizeof(btf_member);
    case BTF_KIND_ENUM:
        return count * sizeof(btf_enum);
    case BTF_KIND_FUNC_PROTO:
        return count * sizeof(btf_param);
    case BTF_KIND_DATASEC:
        return count * sizeof(btf_var_secinfo);
    case BTF_KIND_ENUM64:
        return count * sizeof(btf_enum64);
    case BTF_KIND_PTR:
    case BTF_KIND_FWD:
    case BTF_KIND_TYPEDEF:
    case BTF_KIND_VOLATILE:
    case BTF_KIND_CONST:
    case BTF_KIND_RESTRICT:
    case BTF_KIND_FUNC:
    case BTF_KIND_FLOAT:
    case BTF_KIND_TYPE_TAG:
        return 0;
    default:
        return std::nullopt;
    }
}

} // namespace

Result<std::unique_ptr<BtfFile>> BtfFile::open(const std::string& path, BtfFile* base)
{
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    struct stat status {};
    if (file < 0 || fstat(file, &status) != 0) {
        const int code = errno;
        if (file >= 0)
            close(file);
        return Error{"cannot read " + path + ": " + strerror(code), code};
    }
    std::unique_ptr<BtfFile> made(new BtfFile(base));
    const Result<void> read = made->read(file, static_cast<std::size_t>(status.st_size));
    close(file);
    if (!read)
        return Error{"cannot read " + path + ": " + read.error().message, read.error().code};
    if (!made->find_sections())
        return Error{path + " is damaged or is not BTF", EINVAL};
    return made;
}

BtfFile::~BtfFile()
{
    if (mapping_)
        munmap(mapping_, size_);
}

// Linux 6.15 and later allow mapping the file. In older kernels the file is read, and each call returns only 4 KB.
Result<void> BtfFile::read(int file, std::size_t size)
{
    size_ = size;
    void* const mapping = size != 0 ? mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file, 0) : MAP_FAILED;
    if (mapping != MAP_FAILED) {
        mapping_ = mapping;
        bytes_ = static_cast<const uint8_t*>(mapping);
        return {};
    }
    copy_.resize(size);
    std::size_t have = 0;
    for (ssize_t got = 1; got > 0 && have < size;) {
        got = ::read(file, copy_.data() + have, size - have);
        if (got < 0)
            return Error{strerror(errno), errno};
        have += static_cast<std::size_t>(got);
    }
    size_ = have;
    bytes_ = copy_.data();
    return {};
}

bool BtfFile::find_sections()
{
    // Linux 7.1 appended members to the header. A file without these members must be accepted, even if dtrace is built
    // with newer kernel headers.
    constexpr std::size_t kOldestHeader = offsetof(btf_header, str_len) + sizeof(btf_header::str_len);
    btf_header header{};
    if (size_ < kOldestHeader)
        return false;
    memcpy(&header, bytes_, kOldestHeader);
    const auto is_inside = [&](uint32_t offset, uint32_t length) {
        return uint64_t{header.hdr_len} + offset + length <= size_;
    };
    if (header.magic != BTF_MAGIC || header.version != BTF_VERSION || header.hdr_len < kOldestHeader ||
        header.hdr_len % 4 != 0 || header.type_off % 4 != 0 || !is_inside(header.type_off, header.type_len) ||
        !is_inside(header.str_off, header.str_len))
        return false;
    types_ = bytes_ + header.hdr_len + header.type_off;
    types_size_ = header.type_len;
    strings_ = {reinterpret_cast<const char*>(bytes_ + header.hdr_len + header.str_off), header.str_len};
    const bool begins = base_ || strings_.starts_with('\0');
    return begins && (strings_.empty() || strings_.ends_with('\0'));
}

void BtfFile::find_types()
{
    if (std::exchange(searched_, true))
        return;
    if (base_ && base_->end_id() == base_->first_id())
        return; // the core kernel's file is damaged; the ids of this file's types are therefore unknown
    offsets_.reserve(types_size_ / 24);
    std::size_t at = 0;
    while (at + sizeof(btf_type) <= types_size_) {
        const auto* const type = reinterpret_cast<const btf_type*>(types_ + at);
        const auto behind = bytes_behind(type->info);
        if (!behind || *behind > types_size_ - at - sizeof(btf_type))
            break;
        offsets_.push_back(static_cast<uint32_t>(at));
        at += sizeof(btf_type) + *behind;
    }
    if (at != types_size_)
        offsets_.clear();
}

uint32_t BtfFile::first_id()
{
    return base_ ? base_->end_id() : 1;
}

uint32_t BtfFile::end_id()
{
    find_types();
    return first_id() + static_cast<uint32_t>(offsets_.size());
}

const btf_type* BtfFile::type(uint32_t id)
{
    const uint32_t first = first_id();
    if (id < first)
        return base_ ? base_->type(id) : nullptr;
    find_types();
    return id - first < offsets_.size() ? reinterpret_cast<const btf_type*>(types_ + offsets_[id - first]) : nullptr;
}

std::string_view BtfFile::name(uint32_t offset) const
{
    const std::size_t before = base_ ? base_->strings_.size() : 0;
    if (offset < before)
        return base_->name(offset);
    return offset - before < strings_.size() ? std::string_view(strings_.data() + (offset - before))
                                             : std::string_view();
}

bool BtfFile::ends(uint32_t id)
{
    for (unsigned steps = 0; steps < kLongestChain; ++steps) {
        const btf_type* const link = type(id);
        switch (link ? BTF_INFO_KIND(link->info) : uint32_t{BTF_KIND_UNKN}) {
        case BTF_KIND_ARRAY:
            id = reinterpret_cast<const btf_array*>(link + 1)->type;
            break;
        case BTF_KIND_PTR:
        case BTF_KIND_TYPEDEF:
        case BTF_KIND_VOLATILE:
        case BTF_KIND_CONST:
        case BTF_KIND_RESTRICT:
        case BTF_KIND_TYPE_TAG:
        case BTF_KIND_FUNC:
        case BTF_KIND_VAR:
            id = link->type;
            break;
        default:
            return true;
        }
    }
    return false;
}

// Returns all offsets at which a name is in the strings of this file or of its base. Types of a module may use names of
// the base.
std::vector<uint32_t> BtfFile::offsets_of(std::string_view name) const
{
    std::vector<uint32_t> offsets;
    if (base_)
        offsets = base_->offsets_of(name);
    const auto before = static_cast<uint32_t>(base_ ? base_->strings_.size() : 0);
    const std::string needle = std::string(name) + '\0';
    const char* const begin = strings_.data();
    const char* const end = begin + strings_.size();
    for (const char* at = begin;; ++at) { // memmem is several times faster than std::string_view::find here
        at = static_cast<const char*>(memmem(at, static_cast<std::size_t>(end - at), needle.data(), needle.size()));
        if (!at)
            return offsets;
        if (at == begin || at[-1] == '\0')
            offsets.push_back(before + static_cast<uint32_t>(at - begin));
    }
}

bool BtfFile::is_one_of(uint32_t offset, const std::vector<uint32_t>& offsets)
{
    return std::find(offsets.begin(), offsets.end(), offset) != offsets.end();
}

bool BtfFile::is_worth_an_index()
{
    if (++scans_ <= kFewScans)
        return false;
    index_.assign(std::bit_ceil((end_id() - first_id()) * std::size_t{2} + 2), 0);
    for (uint32_t id = first_id(), end = end_id(); id < end; ++id) {
        const std::string_view text = name(type(id)->name_off);
        if (text.empty())
            continue;
        std::size_t at = slot(text);
        while (index_[at] != 0)
            at = next_slot(at);
        index_[at] = id;
    }
    return true;
}

void BtfFile::forget_index()
{
    std::exchange(index_, {});
    std::exchange(offsets_, {});
    searched_ = false;
    scans_ = 0;
}

std::size_t BtfFile::slot(std::string_view name) const
{
    return std::hash<std::string_view>{}(name) & (index_.size() - 1);
}

} // namespace dt::probes
