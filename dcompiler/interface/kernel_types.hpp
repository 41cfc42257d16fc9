// Interface to a kernel's type information for providers: functions and their prototypes, tracepoints, offsets of
// members.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/interface/types.hpp"

namespace dt {

/// Kernel types by module: "vmlinux" (core kernel and built-in modules) or a module with type information of its own.
/// Types are read when they are first requested, and only functions that return a Type create Type objects.
class KernelTypes : public TypeSource {
public:
    using VisitFunction = std::function<void(std::string_view name, uint32_t id)>;

    /// Location of a member, possibly nested, in a struct.
    struct MemberLocation {
        uint64_t bit_offset = 0; ///< offset in bits from the beginning of the outermost struct
        uint64_t size = 0;       ///< size in bytes of the member's type
        uint32_t bit_size = 0;   ///< size in bits of a bit-field; 0 for other members
    };

    /// Returns the names of the kernel modules: "vmlinux" first, the others in alphabetical order.
    virtual std::vector<std::string> modules() = 0;

    /// Returns the BTF id of a function. It is stable until reboot, or until its module is unloaded.
    virtual std::optional<uint32_t> function_id(std::string_view module, std::string_view name) = 0;
    /// Properties of a function's parameters and result that can be read without creating types.
    struct Prototype {
        uint32_t parameters = 0;
        bool has_result = false;
        bool words = false; ///< whether all parameters are integers or pointers, and there is no `...`
    };
    virtual std::optional<Prototype> prototype(std::string_view module, std::string_view name) = 0;
    /// Returns the names of a function's parameters, without creating types; empty if the function is unknown.
    virtual std::vector<std::string> parameter_names(std::string_view /* module */, std::string_view /* name */)
    {
        return {};
    }

    /// Calls `visit` for every function of a module, in the order of their BTF ids.
    virtual void for_each_function(std::string_view module, const VisitFunction& visit) = 0;

    /// Returns the prototype of a tracepoint as declared by TP_PROTO: parameter i is word i of the context of a raw
    /// tracepoint's program. The type omits the data pointer that the kernel's own probe functions have as first
    /// parameter. Parameter names are usually missing. An empty module means any module. Returns null if the tracepoint
    /// does not exist.
    virtual const Type* tracepoint_type(TypeTable& table, std::string_view name, std::string_view module) = 0;

    /// Returns the properties of a tracepoint's parameters that can be read without creating types.
    virtual std::optional<Prototype> tracepoint_prototype(std::string_view name, std::string_view module) = 0;
    /// Returns the BTF id of a tracepoint in a module, stable until reboot.
    virtual std::optional<uint32_t> tracepoint_id(std::string_view module, std::string_view name) = 0;
    /// Calls `visit` for every tracepoint of a module, in the order of their BTF ids.
    virtual void for_each_tracepoint(std::string_view module, const VisitFunction& visit) = 0;

    /// Returns the location of the member "a.b.c" in a struct or union of `module` (empty: any). Members of anonymous
    /// structs and unions count as members of the enclosing type. Returns nothing if the member does not exist, or if
    /// the path leads through an array or a pointer.
    virtual std::optional<MemberLocation> member(std::string_view module, std::string_view record,
                                                 std::string_view path) = 0;
};

} // namespace dt
