// Selects the source of a type.
//
// CTF knows more than BTF (global variables), but BTF is more widely available. So an archive has priority, and BTF
// supplies types that the archive lacks or only declares. Module types extend the core kernel's; built-in modules have
// none of their own.
#include "libdtrace/world/types_live.hpp"

#include <unistd.h>

#include <utility>

namespace dt {

LiveTypes::LiveTypes(Names names, ProcessTypes& of_processes) : names_(std::move(names)), of_processes_(of_processes) {}

LiveTypes::~LiveTypes() = default;

Result<void> LiveTypes::use_archive(const std::string& path)
{
    directory_.clear();
    auto opened = CtfTypes::open(path, AddressSpace::Kernel);
    if (!opened)
        return Error{"failed to open " + path + ": " + opened.error().message, opened.error().code};
    archive_ = std::move(opened.value());
    return {};
}

void LiveTypes::find_archive()
{
    const std::string directory = std::exchange(directory_, {});
    for (const char* name : {"/vmlinux.ctfa", "/kernel/vmlinux.ctfa"})
        if (!directory.empty() && !archive_ && access((directory + name).c_str(), F_OK) == 0)
            if (const Result<void> used = use_archive(directory + name); !used)
                archive_problem_ = used.error().message;
}

const Type* LiveTypes::find_in_kernel(TypeTable& table, TypeNamespace space, std::string_view name,
                                      std::string_view module)
{
    find_archive();
    const bool archived = archive_ && (module.empty() || archive_->has_module(module));
    const Type* found = archived ? archive_->find(table, space, name, module) : nullptr;
    if ((found && !found->incomplete) || !btf_.available())
        return found;
    const Type* other = btf_.find(table, space, name, module);
    const bool is_definition = space == TypeNamespace::Variable || space == TypeNamespace::Function;
    const bool may_be_core = !is_definition || !btf_.has_module(module);
    if (!other && !module.empty() && may_be_core)
        other = btf_.find(table, space, name, "vmlinux");
    return other ? other : found;
}

const std::string* LiveTypes::file_of_process(std::string_view module)
{
    const ProcessObjects::Object* object = module.empty() || module == "vmlinux" ? nullptr : names_.object(module);
    return object ? &object->file : nullptr;
}

const Type* LiveTypes::find(TypeTable& table, TypeNamespace space, std::string_view name, std::string_view module)
{
    const PartOfStep timed(steps_, "types");
    const bool kernel = module.empty() || names_.is_kernel_module(module);
    const Type* found = kernel ? find_in_kernel(table, space, name, module) : nullptr;
    if (found)
        return found;
    const std::string* const file = file_of_process(module); // the object may have the same name as a kernel module
    return file ? of_processes_.find(table, space, name, *file) : nullptr;
}

std::string LiveTypes::problem(std::string_view module)
{
    if (const std::string* const file = names_.is_kernel_module(module) ? nullptr : file_of_process(module))
        return of_processes_.problem(*file);
    return archive_ ? archive_->problem(module) : archive_problem_;
}

} // namespace dt
