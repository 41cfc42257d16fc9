// A file of BTF, the kernel's or a module's type information, as it lies there.
//
// The core kernel's has more than 100,000 types, of which a script wants a handful. So the file is mapped where the
// kernel allows it, nothing is copied or parsed, where each type begins is found in one pass when the first is wanted,
// and an index of the names is made only for those who ask for many.
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

/// Types have the numbers first_id() to end_id() - 1. A module's file goes on from the core kernel's, `base`, and means
/// its types by lower numbers.
class BtfFile {
public:
    /// Fails when there is no such file, or it is no BTF, or its sections are not inside it. `base` must outlive the
    /// file.
    static Result<std::unique_ptr<BtfFile>> open(const std::string& path, BtfFile* base = nullptr);
    ~BtfFile();
    BtfFile(const BtfFile&) = delete;
    BtfFile& operator=(const BtfFile&) = delete;

    /// All names of this file (not of its base), each with a NUL behind it.
    std::string_view strings() const { return strings_; }

    uint32_t first_id();
    /// first_id() when a type is not inside its section or of an unknown kind: a damaged file has no types. The first
    /// call takes 1 ms.
    uint32_t end_id();
    /// Null: void, or there is no such type.
    const btf_type* type(uint32_t id);
    /// Of a type, a member, …; empty where the number is no string's.
    std::string_view name(uint32_t offset) const;

    /// Does a chain of pointers, arrays, typedefs and qualifiers that begins with this type come to an end? Whoever
    /// follows one must know.
    bool ends(uint32_t id);

    /// The first type of this file that has the name and that `fits`; 0: none. Some 0.5 ms; once many were asked for,
    /// no more than a look-up.
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

    /// What was made to find types is given up, and made again for who asks.
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
    std::vector<uint8_t> copy_; ///< where it cannot be mapped
    const uint8_t* bytes_ = nullptr;
    std::size_t size_ = 0;
    const uint8_t* types_ = nullptr;
    std::size_t types_size_ = 0;
    std::string_view strings_;
    bool searched_ = false;
    std::vector<uint32_t> offsets_; ///< of the types in their section
    unsigned scans_ = 0;
    std::vector<uint32_t>
        index_; ///< numbers of types, each in the slot of its name or the next free one; a power of two
};

} // namespace dt::probes
