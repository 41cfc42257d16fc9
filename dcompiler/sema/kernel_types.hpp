// What providers ask of a kernel's type information besides types by name: functions and their prototypes, tracepoints,
// places of members.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dcompiler/sema/types.hpp"

namespace dt {

/// A module is "vmlinux" (the core kernel, and what is built in) or one with type information of its own. Everything is
/// looked up when it is asked for; types are made only where a Type is returned.
class KernelTypes : public TypeSource {
public:
    using VisitFunction = std::function<void(std::string_view name, uint32_t id)>;

    /// Where a member is.
    struct Place {
        uint64_t bit_offset = 0; ///< from the beginning of the struct that was asked
        uint64_t size = 0;       ///< bytes of its type
        uint32_t bit_size = 0;   ///< 0 unless a bit-field
    };

    /// "vmlinux" first, then the others by name.
    virtual std::vector<std::string> modules() = 0;

    /// BTF number of a function: the same for a boot (a module's: while it is loaded).
    virtual std::optional<uint32_t> function_id(std::string_view module, std::string_view name) = 0;
    /// What a function takes and gives, without making types of it.
    struct Prototype {
        uint32_t parameters = 0;
        bool has_result = false;
        bool words = false; ///< each parameter, and the result, is a number or a pointer, and there are no others
    };
    virtual std::optional<Prototype> prototype(std::string_view module, std::string_view name) = 0;

    /// Every function of a module, by number.
    virtual void for_each_function(std::string_view module, const VisitFunction& visit) = 0;

    /// The prototype of a tracepoint, TP_PROTO's (word i of a raw tracepoint's context is parameter i): without the
    /// pointer before it that the kernel's own probes are handed, and mostly without names. An empty module: any. Null:
    /// there is no such tracepoint.
    virtual const Type* tracepoint_type(TypeTable& table, std::string_view name, std::string_view module) = 0;

    /// Of such a prototype, without making types of it.
    virtual std::optional<Prototype> tracepoint_prototype(std::string_view name, std::string_view module) = 0;
    /// Number of a tracepoint among the types of a module: the same for a boot.
    virtual std::optional<uint32_t> tracepoint_id(std::string_view module, std::string_view name) = 0;
    /// Every tracepoint of a module, by number.
    virtual void for_each_tracepoint(std::string_view module, const VisitFunction& visit) = 0;

    /// A member of a struct or union of `module` (empty: any), "a.b.c"; members of anonymous structs and unions count
    /// as those of what is around them. None: there is no such member, or it is in an array or behind a pointer.
    virtual std::optional<Place> member(std::string_view module, std::string_view record, std::string_view path) = 0;
};

} // namespace dt
