// A BTF file: the type information of the kernel or of a module.
//
// The core kernel has more than 100,000 types, of which a script needs a few. So the file is mapped if the kernel
// allows it, and nothing is copied or parsed in advance. The first query locates all types in one pass. An index of
// names is built only after many queries.
#pragma once

#include <linux/btf.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.hpp"

namespace dt::probes {

/// The ids of the file's types are first_id() to end_id() - 1. If the file belongs to a module, its ids continue those
/// of `base`, the core kernel's file, and its types refer to types of `base` by id.
class BtfFile {
public:
    /// Opens a file. Fails if it does not exist, is not BTF, or has sections that extend beyond its end. `base` must
    /// outlive the file.
    static Result<std::unique_ptr<BtfFile>> open(const std::string& path, BtfFile* base = nullptr);
    ~BtfFile();
    BtfFile(const BtfFile&) = delete;
    BtfFile& operator=(const BtfFile&) = delete;

    /// Returns the string section of this file (not of its base): all names, each followed by a NUL.
    std::string_view strings() const { return strings_; }

    uint32_t first_id();
    /// Returns the id of the last type plus 1. If a type exceeds its section or has an unknown kind, the file is
    /// damaged and counts as a file without types: returns first_id(). The first call takes 1 ms.
    uint32_t end_id();
    /// Returns the type with this id; null for void and for ids without a type.
    const btf_type* type(uint32_t id);
    /// Returns the name of a type, a member or an enumerator by its offset in the strings; empty for an invalid offset.
    std::string_view name(uint32_t offset) const;

    /// Returns whether the chain of pointers, arrays, typedefs and qualifiers from this type on has an end. Check this
    /// before following a chain.
    bool ends(uint32_t id);

    /// Returns the first type in this file that has the name and for which `fits` returns true; 0 if there is none.
    /// Each of the first calls searches all names, which takes about 0.5 ms; later calls use an index.
    template <typename Fits> uint32_t find(std::string_view name, Fits fits)
    {
        if (name.empty())
            return 0;
        if (!has_index() && !is_worth_an_index()) {
            const std::vector<uint32_t> offsets = offsets_of(name);
            for (uint32_t id = first_id(), end = offsets.empty() ? id : end_id(); id < end; ++id)
                if (const btf_type* found = type(id); is_one_of(found->name_off, offsets) && fits(found))
                    return id;
            return 0;
        }
        for (std::size_t at = slot(name); index_[at] != 0; at = next_slot(at))
            if (const btf_type* found = type(index_[at]); this->name(found->name_off) == name && fits(found))
                return index_[at];
        return 0;
    }

    /// Frees the tables by which types are found. They are rebuilt when they are needed.
    void forget_index();

private:
    explicit BtfFile(BtfFile* base) : base_(base) {}

    Result<void> read(int file, std::size_t size);
    bool find_sections();
    void find_types();
    std::vector<uint32_t> offsets_of(std::string_view name) const;
    static bool is_one_of(uint32_t offset, const std::vector<uint32_t>& offsets);
    bool has_index() const { return !index_.empty(); }
    bool is_worth_an_index();
    std::size_t slot(std::string_view name) const;
    std::size_t next_slot(std::size_t at) const { return (at + 1) & (index_.size() - 1); }

    BtfFile* base_;
    void* mapping_ = nullptr;
    std::vector<uint8_t> copy_; ///< contents of the BTF file if the kernel does not allow mapping it
    const uint8_t* bytes_ = nullptr;
    std::size_t size_ = 0;
    const uint8_t* types_ = nullptr;
    std::size_t types_size_ = 0;
    std::string_view strings_;
    bool searched_ = false;
    std::vector<uint32_t> offsets_; ///< offset of each type in the file's type section
    unsigned scans_ = 0;
    /// Hash table of type ids. Each id is in the slot of its name's hash or in the next free slot. The size of the
    /// table is a power of two.
    std::vector<uint32_t> index_;
};

} // namespace dt::probes
