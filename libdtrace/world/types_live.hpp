// All types of a run: the kernel's from CTF where it is given, and from BTF; those of the traced process's objects from
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
    /// How it learns what a module name stands for: whether the kernel has such a module, and which object of the
    /// process is called so (null: none).
    struct Names {
        std::function<bool(std::string_view)> is_kernel_module;
        std::function<const ProcessObjects::Object*(std::string_view)> object;
    };

    /// `of_processes` must outlive this.
    LiveTypes(Names names, ProcessTypes& of_processes);
    ~LiveTypes() override;

    /// Reads the kernel's types from this CTF archive first. The error is complete.
    Result<void> use_archive(const std::string& path);
    /// The types of another kernel than the running one. Before the first question.
    void use_btf(const std::string& path) { btf_.use_file(path); }
    /// Where such an archive is looked for when the first type is wanted, if none was given.
    void look_in(std::string modules_directory) { directory_ = std::move(modules_directory); }

    /// Tells these what looking for types takes.
    void time_steps(Steps* steps) { steps_ = steps; }

    const Type* find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module) override;
    std::string problem(std::string_view module) override;

    /// Without any archive: null where the kernel does not tell its types.
    KernelTypes* btf() { return btf_.available() ? &btf_ : nullptr; }
    /// As BtfTypes has it.
    void forget_indexes() { btf_.forget_indexes(); }
    /// Is anything known about the kernel's types? (Of a process's, it shows when they are looked at.)
    bool knows_kernel() const { return archive_ || btf_.available(); }
    /// Is a variable of a loaded kernel module one that every CPU has a copy of?
    bool is_per_cpu(std::string_view module, std::string_view variable) { return btf_.is_per_cpu(module, variable); }

private:
    void find_archive();
    const Type* find_in_kernel(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module);
    const std::string* file_of_process(std::string_view module);

    Names names_;
    BtfTypes btf_;
    std::unique_ptr<CtfTypes> archive_;
    std::string directory_; ///< empty: looked at, or nothing to look at
    std::string archive_problem_;
    ProcessTypes& of_processes_;
    Steps* steps_ = nullptr;
};

} // namespace dt
