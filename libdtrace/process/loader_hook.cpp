// Finds the dynamic loader of a process through the auxiliary vector, and the function in the loader to which the hook
// is attached. If a statically linked program can load libraries, this function is in the program itself.
#include "libdtrace/process/loader_hook.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <elf.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>

#include "base/kernel_abi.hpp"
#include "base/proc_file.hpp"
#include "bpf-runtime/embedded.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "probes/attach/mechanisms.hpp"
#include "probes/attach/uprobe.hpp"

namespace dt {
namespace {

template <typename Entry> uint64_t value_of(const std::string& vector, uint64_t type)
{
    for (std::size_t at = 0; at + sizeof(Entry) <= vector.size(); at += sizeof(Entry)) {
        Entry entry;
        vector.copy(reinterpret_cast<char*>(&entry), sizeof entry, at);
        if (entry.a_type == type)
            return entry.a_un.a_val;
    }
    return 0;
}

/// Returns the address at which the loader of a process is mapped, or 0 if the process has no loader.
uint64_t loader_base(const std::string& process)
{
    const std::string vector = read_proc_file(process + "/auxv");
    unsigned char ident[EI_NIDENT] = {};
    std::ifstream(process + "/exe", std::ios::binary).read(reinterpret_cast<char*>(ident), sizeof ident);
    return ident[EI_CLASS] == ELFCLASS32 ? value_of<Elf32_auxv_t>(vector, AT_BASE)
                                         : value_of<Elf64_auxv_t>(vector, AT_BASE);
}

/// Returns a path to open the file that is mapped at the address; empty if no file is mapped there.
std::string file_mapped_at(const std::string& process, uint64_t address)
{
    std::vector<Mapping> mappings = parse_maps(read_proc_file(process + "/maps"));
    const Mapping* const mapping = find_mapping(mappings, address);
    return mapping ? process + "/root" + mapping->path : std::string();
}

} // namespace

LoaderHook::LoaderHook(std::string proc, ReadBy by) : proc_(std::move(proc)), by_(by) {}

LoaderHook::~LoaderHook() = default;

void LoaderHook::Close::operator()(bpf_object* object) const
{
    bpf_object__close(object);
}

Result<void> LoaderHook::open()
{
    struct stat pids {};
    if (stat("/proc/self/ns/pid", &pids) == 0 && pids.st_ino != kFirstPidNamespace)
        return Error{"dtrace runs in a pid namespace, where processes have other numbers", ENOTSUP};
    const auto runtime = embedded_runtime();
    const auto found = std::find_if(runtime.begin(), runtime.end(),
                                    [](const RuntimeObject& object) { return object.name == "loader_stop"; });
    std::span<const uint8_t> elf;
    if (found != runtime.end())
        elf = !found->locked.empty() && is_locked_down() ? found->locked : found->elf;
    int code = ENOENT;
    // Tries a link of uprobe_multi first, because it detaches faster than a perf event.
    for (const bool many : {true, false}) {
        object_.reset(elf.empty() ? nullptr : bpf_object__open_mem(elf.data(), elf.size(), nullptr));
        bpf_program* const program =
            object_ ? bpf_object__find_program_by_name(object_.get(), "dt_loader_stop") : nullptr;
        if (!program)
            continue;
        if (many)
            bpf_program__set_expected_attach_type(program, static_cast<bpf_attach_type>(abi::kTraceUprobeMulti));
        if (const int error = bpf_object__load(object_.get()); error != 0) {
            code = -error;
            continue;
        }
        many_ = many;
        program_ = bpf_program__fd(program);
        const auto map = [this](const char* name) { return bpf_object__find_map_fd_by_name(object_.get(), name); };
        processes_ = map("stop_processes");
        threads_ = map("stop_threads");
        counts_ = map(".bss");
        // A kernel without uprobe_multi ignores the attach type and loads the program without an error, so support must
        // be tested separately.
        if (!many || probes::knows_uprobe_multi(program_))
            return {};
    }
    object_.reset();
    return Error{std::strerror(code), code};
}

void LoaderHook::add(pid_t process)
{
    const auto key = static_cast<uint32_t>(process);
    const uint32_t yes = 1;
    if (object_)
        bpf_map_update_elem(processes_, &key, &yes, BPF_ANY);
}

void LoaderHook::remove(pid_t process)
{
    const auto key = static_cast<uint32_t>(process);
    if (object_)
        bpf_map_delete_elem(processes_, &key);
}

bool LoaderHook::attach(const std::string& file)
{
    // Uses an UntrustedFiles of its own, because another thread uses the shared one.
    UntrustedFiles files(by_);
    const ElfSymbols symbols = ElfSymbols::of_untrusted(files, file);
    const ElfSymbols::Symbol* const function = symbols.find_name("_dl_debug_state");
    const std::optional<uint64_t> offset = function ? symbols.code_offset(function->start) : std::nullopt;
    if (!offset || !object_)
        return false;
    AttachPlan plan;
    plan.targets.push_back({file, 0, *offset, nullptr, 0, 0});
    auto made = (many_ ? probes::uprobe_multi_mechanism() : probes::uprobe_mechanism()).attach(program_, plan, {});
    if (!made || made->attachments.empty())
        return false;
    attachments_.push_back(std::move(made->attachments.front()));
    return true;
}

LoaderHook::Loader LoaderHook::hook(pid_t pid)
{
    const std::string process = process_folder(proc_, pid);
    const uint64_t base = loader_base(process);
    const std::string file = base != 0 ? file_mapped_at(process, base) : process + "/exe";
    struct stat status {};
    const bool is_found = !file.empty() && stat(file.c_str(), &status) == 0;
    if ((base == 0 || !is_found) && process_folder(proc_, pid) != process)
        return hook(pid); // tries again with another thread, because the thread whose /proc files were read has ended
    if (!is_found)
        return base != 0 ? Loader::Unhooked : Loader::None;
    const auto [known, is_new] = files_.try_emplace({status.st_dev, status.st_ino}, false);
    if (is_new)
        known->second = attach(file);
    if (base == 0)
        return Loader::None;
    return known->second ? Loader::Hooked : Loader::Unhooked;
}

bool LoaderHook::sent(pid_t thread, int signal)
{
    const auto key = static_cast<uint32_t>(thread);
    uint32_t sent = 0;
    return object_ && bpf_map_lookup_elem(threads_, &key, &sent) == 0 && static_cast<int>(sent) == signal &&
           bpf_map_delete_elem(threads_, &key) == 0;
}

uint64_t LoaderHook::unheld() const
{
    const uint32_t first = 0;
    uint64_t count = 0;
    return object_ && bpf_map_lookup_elem(counts_, &first, &count) == 0 ? count : 0;
}

} // namespace dt
