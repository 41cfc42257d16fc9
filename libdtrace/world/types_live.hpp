// All types of a run. Kernel types come from CTF if available, and from BTF; types of the traced process's objects from
// CTF or DWARF.
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "base/result.hpp"
#include "dcompiler/sema/types.hpp"
#include "base/steps.hpp"
#include "libdtrace/process/objects.hpp"
#include "libdtrace/world/types_btf.hpp"
#include "libdtrace/world/types_ctf.hpp"
#include "libdtrace/world/types_process.hpp"

namespace dt {

class LiveTypes final : public TypeSource {
public:
    /// Callbacks that resolve a module name: as a kernel module, or as an object of the process (null: none).
    struct Names {
        std::function<bool(std::string_view)> is_kernel_module;
        std::function<const ProcessObjects::Object*(std::string_view)> object;
    };

    /// `of_processes` must outlive this object.
    LiveTypes(Names names, ProcessTypes& of_processes);
    ~LiveTypes() override;

    /// Gives this CTF archive priority for kernel types. The error message is complete.
    Result<void> use_archive(const std::string& path);
    /// Uses the types of an offline kernel. Call it before the first lookup.
    void use_btf(const std::string& path) { btf_.use_file(path); }
    /// Sets the folder that is searched for a CTF archive on the first lookup, if no archive was given.
    void look_in(std::string modules_directory) { directory_ = std::move(modules_directory); }

    /// Sets the phase timer that measures type lookups.
    void time_steps(Steps* steps) { steps_ = steps; }

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;
    std::string problem(std::string_view module) override;

    /// Returns the BTF source without any archive, or null if the kernel has no BTF.
    KernelTypes* btf() { return btf_.available() ? &btf_ : nullptr; }
    /// Frees lookup indexes, like BtfTypes::forget_indexes().
    void forget_indexes() { btf_.forget_indexes(); }
    /// Returns whether kernel types are available. (Problems with a process's types appear on first use.)
    bool knows_kernel() const { return archive_ || btf_.available(); }
    /// Returns whether a variable of a loaded kernel module is a per-CPU variable.
    bool is_per_cpu(std::string_view module, std::string_view variable) { return btf_.is_per_cpu(module, variable); }

private:
    void find_archive();
    const Type* find_in_kernel(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module);
    const std::string* file_of_process(std::string_view module);

    Names names_;
    BtfTypes btf_;
    std::unique_ptr<CtfTypes> archive_;
    std::string directory_; ///< folder still to be searched, or empty
    std::string archive_problem_;
    ProcessTypes& of_processes_;
    Steps* steps_ = nullptr;
};

} // namespace dt
