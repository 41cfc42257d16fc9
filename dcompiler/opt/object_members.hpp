// Accesses to members of kernel objects, as the kernel's verifier checks them (btf_struct_walk() in kernel/bpf/btf.c).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "dcompiler/interface/types.hpp"

namespace dt::opt {

/// An access to a member of a kernel object that the verifier accepts.
struct MemberAccess {
    /// Structure to which the loaded pointer points; programs may load from this structure in turn. Null if a number is
    /// loaded.
    const Type* target = nullptr;
};

class ObjectMembers {
public:
    /// `source` contains the types of the running kernel, which are created in `table`. If `source` is null, all
    /// lookups fail.
    ObjectMembers(TypeSource* source, TypeTable& table) : source_(source), table_(table) {}

    /// Returns the kernel's structure with this name, or null.
    const Type* record(std::string_view name);
    /// Returns the function type whose parameters are the words of the context in a program of this ELF section:
    /// "tp_btf/sched_switch", "fentry/vfs_read". Returns null for other sections.
    const Type* prototype(std::string_view section);
    /// Returns the structure to which a pointer type points; null for all other types.
    const Type* pointed_to(const Type* pointer) const;
    /// Returns the access to `size` bytes at an offset of an object, or nothing if the verifier refuses it.
    std::optional<MemberAccess> access(const Type* record, int64_t offset, uint32_t size) const;
    /// Returns whether no member contains the byte at an offset.
    bool is_padding(const Type* record, int64_t offset) const;
    /// Returns the number of characters from an offset to the end of the character array at that offset; 0 if there is
    /// no such array.
    int64_t characters_at(const Type* record, int64_t offset) const;
    /// Returns the name of the member at an offset: "struct task_struct.comm".
    std::string name_at(const Type* record, int64_t offset) const;

private:
    const Type* find(TypeNamespace space, std::string_view name);
    TypeSource* source_;
    TypeTable& table_;
};

} // namespace dt::opt
