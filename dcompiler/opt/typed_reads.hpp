// Replaces helper calls that read kernel memory, on kernels that are locked down.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "dcompiler/interface/diagnostics.hpp"
#include "dcompiler/interface/types.hpp"
#include "dcompiler/ir/ir.hpp"

namespace dt::opt {

// Accesses to members of kernel objects, checked by the same rules as in the kernel's verifier (btf_struct_walk() in
// kernel/bpf/btf.c).

/// An access to a member of a kernel object, which the verifier accepts.
struct MemberAccess {
    /// If the access loads a pointer: the structure to which it points, from which programs may load too. Null if a
    /// number is loaded.
    const Type* target = nullptr;
};

class ObjectMembers {
public:
    /// `source` knows the types of the running kernel, and creates Type objects in `table`. If `source` is null, all
    /// lookups fail.
    ObjectMembers(TypeSource* source, TypeTable& table) : source_(source), table_(table) {}

    /// Returns the kernel's structure with this name, or null.
    const Type* record(std::string_view name);
    /// Returns the type of the traced function for a program in an ELF section such as "tp_btf/sched_switch" or
    /// "fentry/vfs_read". Its parameters are the words of the program's context. Returns null for other sections.
    const Type* prototype(std::string_view section);
    /// Returns the structure to which a type points; null if the type is no pointer to a structure.
    const Type* pointed_to(const Type* pointer) const;
    /// Returns the access to `size` bytes at an offset of an object, or nothing if the verifier refuses it.
    std::optional<MemberAccess> access(const Type* record, int64_t offset, uint32_t size) const;
    /// Returns whether the byte at an offset is padding and belongs to no member.
    bool is_padding(const Type* record, int64_t offset) const;
    /// Returns the number of characters from an offset to the end of the character array in which it lies; 0 if there
    /// is none.
    int64_t characters_at(const Type* record, int64_t offset) const;
    /// Returns the name of the member at an offset, such as "struct task_struct.comm".
    std::string name_at(const Type* record, int64_t offset) const;

private:
    const Type* find(TypeNamespace space, std::string_view name);
    TypeSource* source_;
    TypeTable& table_;
};

struct KernelAccess {
    ObjectMembers& members;
    uint32_t readable_cast = 0; ///< BTF id of bpf_rdonly_cast(), as World::readable_cast() returns it; 0: not usable
    /// Callback for errors about memory that programs cannot read. It receives the position in the D source and, if
    /// known, the name of the member.
    std::function<void(const Span& at, const std::string& member)> refuse;
};

/// Replaces all calls of bpf_probe_read_kernel() and bpf_probe_read_kernel_str() in the module.
void replace_kernel_reads(ir::Module& module, const KernelAccess& kernel);

} // namespace dt::opt
