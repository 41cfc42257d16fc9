// Lists the files and functions of processes for the pid provider. If no files of a process are found, the error says
// why: the process does not exist, is not readable, or is a kernel thread.
//
// The symbols of a process's files are cached until another process is queried, so that a thousand lookups read the
// symbol tables only once.
#include "libdtrace/process/process_functions.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/packed_bytes.hpp"
#include "base/proc_file.hpp"
#include "bpf-runtime/abi.h"
#include "dcompiler/interface/world.hpp"
#include "libdtrace/elf/demangle.hpp"
#include "libdtrace/elf/function_pattern.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/elf/identification.hpp"
#include "libdtrace/elf/source_lines.hpp"
#include "libdtrace/mappings/loaded_objects.hpp"
#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/process/engine_client.hpp"
#include "libdtrace/process/ifunc.hpp"
#include "libdtrace/usdt/file_probes.hpp"

namespace dt {
namespace {

bool is_literal(std::string_view pattern)
{
    return !pattern.empty() && pattern.find_first_of("*?[\\") == std::string_view::npos;
}

/// Returns whether the symbol is a cold part: rarely executed code of a function, which the compiler has moved to
/// another address.
bool is_cold(const std::string& symbol)
{
    return symbol.find(".cold") != std::string::npos;
}

/// Returns the name of the function from which the compiler made the symbol: "foo" for "foo.constprop.0" and
/// "foo.isra.0", which replace foo. If `parts` is set, also accepts "foo.part.0", a function that foo calls. Returns
/// nothing for other symbols.
std::string base_name(const std::string& symbol, bool parts)
{
    const std::size_t dot = symbol.find('.', 1);
    if (dot == std::string::npos || is_cold(symbol) || (!parts && symbol.find(".part.", dot) != std::string::npos))
        return {};
    return symbol.substr(0, dot);
}

/// Returns whether the symbol is a compiler-made clone of a function that the pattern matches.
bool is_clone_called(const std::string& symbol, const FunctionPattern& pattern, bool parts)
{
    const std::string base = base_name(symbol, parts);
    return !base.empty() && pattern.matches(base);
}

/// Returns whether the name contains a dot: it is a compiler-made clone, or a Go function, whose name is
/// package.function.
bool has_dot(const ElfSymbols::Symbol& symbol)
{
    return symbol.name.find('.') != std::string::npos;
}

probes::ProcessView::Calls calls_of(const ElfSymbols::Symbol& symbol, const ElfSymbols& symbols)
{
    using Calls = probes::ProcessView::Calls;
    if (symbols.is_32bit())
        return Calls::C32;
    if (!symbols.is_go() || !has_dot(symbol))
        return Calls::C;
    return symbol.name.ends_with(".abi0") ? Calls::GoOnStack : Calls::Go;
}

using LinePattern = probes::ProcessView::LinePattern;
using Statements = probes::ProcessView::Statements;

constexpr std::size_t kMaxSerializedStatements = 1 << 16;

/// Runs in a sandboxed reader and finds the code of source lines (find_statements). The request contains the path and
/// the name of the file, and the pattern.
std::string serialize_statements(ReaderState&, std::string_view request)
{
    PackedReader asked(request);
    const std::string path(asked.text()), named(asked.text());
    LinePattern pattern{std::string(asked.text()), std::string(asked.text()), std::string(asked.text()), false};
    pattern.is_relative = asked.number() != 0;
    const Statements statements = find_statements(path, named, pattern);
    PackedWriter answer;
    answer.text(statements.problem);
    answer.number(statements.found.size());
    for (const probes::ProcessView::Statement& each : statements.found) {
        answer.text(each.function);
        answer.text(each.file);
        answer.number(each.line);
        answer.number(each.place);
    }
    return answer.take();
}

/// Finds the code of source lines by a sandboxed reader. Statement::place of the result is a link-time address.
Statements read_statements(UntrustedFiles& files, const std::string& path, const LinePattern& pattern)
{
    PackedWriter request;
    request.text(path);
    request.text(name_of_untrusted(path));
    request.text(pattern.file);
    request.text(pattern.function);
    request.text(pattern.line);
    request.number(pattern.is_relative ? 1 : 0);
    const Result<std::string> reply = files.read(path, serialize_statements, request.take());
    if (!reply)
        return {{}, reply.error().message};
    PackedReader answer(reply.value());
    Statements statements;
    statements.problem = printable_name(answer.text());
    statements.found.resize(answer.count(4, kMaxSerializedStatements));
    for (probes::ProcessView::Statement& each : statements.found) {
        each.function = printable_name(answer.text());
        each.file = printable_name(answer.text());
        each.line = answer.number();
        each.place = answer.number();
    }
    return answer.good() ? statements : Statements{{}, "the process that reads its source lines returned damaged data"};
}

class LiveProcesses final : public probes::ProcessView {
public:
    LiveProcesses(std::function<std::string()> proc, std::function<const Processes*()> session,
                  PrototypeSource prototypes, std::shared_ptr<UntrustedFiles> untrusted, VariableSource variables)
        : proc_(std::move(proc)), session_(std::move(session)), prototypes_(std::move(prototypes)),
          variables_(std::move(variables)), untrusted_(std::move(untrusted)), indirect_(untrusted_)
    {
    }

    ~LiveProcesses() override
    {
        for (const auto& [file, descriptor] : kept_)
            if (descriptor >= 0)
                close(descriptor);
    }
    LiveProcesses(const LiveProcesses&) = delete;
    LiveProcesses& operator=(const LiveProcesses&) = delete;

    bool is_tracer(int64_t pid) override { return pid == getpid(); }

    Identity identity(const std::string& file) override
    {
        struct stat status {};
        return stat(living_path(file).c_str(), &status) == 0 ? Identity{status.st_dev, status.st_ino} : Identity{};
    }

    Result<std::vector<Object>> objects(int64_t pid) override
    {
        const std::string proc = proc_();
        std::string process = process_folder(proc, pid);
        char program[1];
        while (readlink((process + "/exe").c_str(), program, sizeof program) < 0) {
            const int reason = errno;
            // Retries with another thread, because the thread whose /proc files were read has ended.
            if (process_folder(proc, pid) != process) {
                process = process_folder(proc, pid);
                continue;
            }
            const bool is_gone = access(process.c_str(), F_OK) != 0;
            return Error{is_gone            ? "No such process"
                         : reason == ENOENT ? "it is a kernel thread"
                                            : std::strerror(reason),
                         is_gone ? ESRCH : reason};
        }
        pid_ = pid;
        std::vector<Object> result;
        bool is_first = true; // the first object in the list is the executable
        const LoadedObjects files(proc, pid);
        for (const LoadedObjects::Object& object : files.all()) {
            if (object.has_code)
                result.push_back({object.path, is_first, object.file, object.start, object.offset});
            is_first = false;
        }
        forget_others(result);
        files_.clear();
        for (const Object& object : result)
            files_.push_back({object.path, object.file});
        indirect_.look_at(pid, result);
        return result;
    }

    Result<std::vector<Object>> files(const std::string& which) override
    {
        std::vector<Object> found;
        if (probes::is_build_id(which) && access(which.c_str(), F_OK) != 0) {
            found = copies_of(which);
            if (found.empty())
                return Error{
                    "no process maps a file with this build id (with -Z, processes that start later are traced)",
                    ENOENT};
        } else if (is_elf_file(which)) {
            found.push_back({which, is_program(which), which});
        } else {
            return Error{access(which.c_str(), R_OK) != 0 ? std::strerror(errno) : "it is not an ELF file"};
        }
        pid_ = 0;
        forget_others(found);
        files_.clear();
        indirect_.look_at(0, found);
        return found;
    }

    std::vector<Function> functions(const Object& object, std::string_view pattern) override
    {
        const ElfSymbols& symbols = symbols_of(object);
        const FunctionPattern called(pattern);
        std::vector<Function> result;
        // Start addresses of the functions (`places`) and of the indirect functions (`choosers`) found so far. They
        // ensure that a function with several names has only one probe, under the name that matches best.
        std::set<uint64_t> places, choosers;
        bool is_alias = false;
        const auto take = [&](const ElfSymbols::Symbol& symbol) {
            Function function = described(symbols, symbol, is_alias);
            if (!function.place || places.insert(*function.place).second)
                result.push_back(std::move(function));
        };
        // Several indirect functions may have the same implementation. Then each of them has its own probe at that
        // implementation.
        const auto take_serving = [&](const ElfSymbols::Symbol& indirect) {
            if (!choosers.insert(indirect.start).second)
                return;
            const IndirectFunctions::Serving serving = serving_for(object, indirect);
            for (const ElfSymbols::Symbol& symbol : serving.functions) {
                Function function = described(symbols, symbol, is_alias);
                function.own_name = std::exchange(function.name, demangled(indirect.name));
                function.serves = true;
                function.is_chosen = serving.is_chosen;
                places.insert(function.place.value_or(0));
                result.push_back(std::move(function));
            }
            if (serving.functions.empty())
                take(indirect);
        };
        const auto take_called = [&](bool indirect, const auto& is_meant) {
            for (const auto* const names : {&symbols.all(), &symbols.aliases()}) {
                is_alias = names == &symbols.aliases();
                for (const ElfSymbols::Symbol& symbol : *names)
                    if (symbol.is_function && symbol.is_ifunc == indirect &&
                        (indirect || !choosers.contains(symbol.start)) && is_meant(symbol.name))
                        indirect ? take_serving(symbol) : take(symbol);
            }
        };
        const auto is_meant = [&](const std::string& name) {
            return called.matches(name) || (!symbols.is_go() && is_clone_called(name, called, false));
        };
        take_called(true, is_meant);
        take_called(false, is_meant);
        if (result.empty() && !symbols.is_go())
            take_called(false, [&](const std::string& name) { return is_clone_called(name, called, true); });
        is_alias = true;
        if (const auto address = result.empty() && is_literal(pattern)
                                     ? address_of_mark(*untrusted_, object.file, pattern)
                                     : std::nullopt)
            if (const ElfSymbols::Symbol* const symbol = symbols.find(*address); symbol && symbol->start == *address) {
                ElfSymbols::Symbol named = *symbol;
                named.name = pattern;
                named.is_ifunc ? take_serving(named) : take(named);
            }
        return result;
    }

    Prototype prototype(const std::string& file, uint64_t offset, const std::string& function, Calls calls) override
    {
        return prototypes_ ? prototypes_(file, offset, function, calls) : Prototype{};
    }

    Variables variables(const std::string& file, uint64_t offset, const std::string& name) override
    {
        return variables_ ? variables_(file, offset, name) : Variables{};
    }

    Statements statements(const Object& object, const LinePattern& pattern) override
    {
        Statements statements = read_statements(*untrusted_, living_path(object.file), pattern);
        const ElfSymbols& symbols = symbols_of(object);
        std::erase_if(statements.found, [&](Statement& each) {
            const auto place = symbols.code_offset(each.place);
            each.place = place.value_or(0);
            return !place;
        });
        statements.is_32bit = symbols.is_32bit();
        return statements;
    }

    std::optional<Symbol> symbol(int64_t pid, const std::string& module, const std::string& name) override
    {
        const LoadedObjects objects(proc_(), pid);
        const auto found = objects.lookup(*untrusted_, module, name);
        return found ? std::optional(Symbol{found->address, found->size, found->is_function}) : std::nullopt;
    }

    std::optional<uint64_t> place_of(const Object& object, uint64_t address) override
    {
        return symbols_of(object).code_offset(address);
    }

    std::optional<Code> code_at(const Object& object, uint64_t place) override
    {
        const ElfSymbols& symbols = symbols_of(object);
        const ElfSymbols::Symbol* const symbol = symbols.find(symbols.address_of_offset(place));
        const auto offset = symbol ? symbols.code_offset(symbol->start) : std::nullopt;
        if (!offset)
            return {};
        return Code{*offset, symbol->size, is_cold(symbol->name)};
    }

    std::vector<Range> code_of(const Object& object, uint64_t place, uint64_t size) override
    {
        const ElfSymbols& symbols = symbols_of(object);
        const uint64_t address = symbols.address_of_offset(place);
        std::vector<Range> ranges{{place, place + size}};
        if (const ElfSymbols::Symbol* const symbol = symbols.find(address); symbol && symbol->start == address) {
            const auto [first, last] = cold_parts(object).equal_range(symbol->name);
            for (auto part = first; part != last; ++part)
                ranges.push_back(part->second);
        }
        return ranges;
    }

    std::vector<UnwinderFunction> unwinder(const Object& object) override
    {
        return remembered(unwinders_, object,
                          [&] { return unwinder_functions(*untrusted_, living_path(object.file)); });
    }

    std::vector<probes::UserProbe> user_probes(const Object& object) override
    {
        const usdt::FileProbes& known = probes_of(object);
        std::vector<probes::UserProbe> result = known.probes;
        const auto moved = static_cast<int64_t>(known.moved_by(object.start, object.offset));
        for (probes::UserProbe& probe : result)
            for (probes::UserSite& site : probe.sites)
                for (Location& argument : site.arguments)
                    if (argument.kind == Location::Kind::UserMemory && argument.index == Location::kNoRegister &&
                        argument.scale == 0)
                        argument.offset += moved;
        return result;
    }

    std::vector<ApplicationSite> application_sites(int64_t pid) override
    {
        if (Result<EngineClient> application = EngineClient::connect(pid))
            if (auto sites = application->sites())
                return std::move(*sites);
        return {};
    }

    /// Returns a path that stays valid after the end of the process: /proc/self/fd of a descriptor that stays open.
    std::string kept(const Object& object) override
    {
        int& descriptor = kept_.try_emplace(identity_of(object), -1).first->second;
        if (descriptor < 0)
            descriptor = open(living_path(object.file).c_str(), O_RDONLY | O_CLOEXEC);
        return descriptor < 0 ? std::string() : "/proc/self/fd/" + std::to_string(descriptor);
    }

    std::vector<int64_t> pids(bool everywhere) override
    {
        std::vector<int64_t> found;
        if (const Processes* const session = everywhere ? nullptr : session_())
            for (const pid_t pid : session->pids())
                found.push_back(pid);
        std::error_code ignored;
        for (std::filesystem::directory_iterator entry(everywhere ? proc_() : "", ignored), end; entry != end;
             entry.increment(ignored)) {
            const std::string name = entry->path().filename();
            int64_t pid = 0;
            const auto [stop, error] = std::from_chars(name.data(), name.data() + name.size(), pid);
            if (error == std::errc{} && stop == name.data() + name.size())
                found.push_back(pid);
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    std::vector<Object> later_files() override
    {
        std::vector<Object> files;
        if (const Processes* const session = session_())
            for (const std::string& path : session->later_files())
                files.push_back({path, is_program(path), path});
        return files;
    }

    bool is_followed(int64_t pid) override
    {
        const Processes* const session = session_();
        return session && session->is_followed(pid);
    }

    bool has_no_leader(int64_t pid) override { return thread_with_memory(proc_(), pid) != pid; }

    std::vector<int64_t> tree(int64_t pid) override
    {
        std::vector<int64_t> found{pid};
        if (const Processes* const session = session_())
            for (const auto& [follower, origin] : session->followers())
                if (origin == pid)
                    found.push_back(follower);
        return found;
    }

    std::vector<uint8_t> bytes(const std::string& file, uint64_t offset, std::size_t count) override
    {
        std::vector<uint8_t> bytes(count);
        if (!open_ || open_name_ != file) {
            open_ = std::make_unique<const OpenFile>(living_path(file));
            open_name_ = file;
        }
        const ssize_t got = pread(open_->descriptor(), bytes.data(), count, static_cast<off_t>(offset));
        bytes.resize(static_cast<std::size_t>(std::max<ssize_t>(got, 0)));
        return bytes;
    }

private:
    using Key = std::pair<std::string, std::string>; ///< path of a file in the process, and path to open it
    using ColdParts = std::unordered_multimap<std::string, Range>;

    /// Returns whether the file is a program and not a library, judged by its name.
    static bool is_program(const std::string& path) { return path.find(".so", path.rfind('/')) == std::string::npos; }

    /// Returns the copies of a file with this build id that processes have mapped since the run began; each container
    /// image has a copy of its own. The copies stay open, because their processes may end at any time.
    std::vector<Object> copies_of(const std::string& build_id)
    {
        std::vector<Object> found;
        std::set<FileKey> seen;
        const auto search = [&](const std::string& path, const std::string& file) {
            Object object{path, is_program(path), file};
            const FileKey identity = identity_of(object);
            if (!seen.insert(identity).second)
                return;
            const auto [known, is_new] = build_ids_.try_emplace(identity);
            if (is_new)
                known->second = build_id_text(build_id_of_untrusted(file));
            if (known->second == build_id && !(object.file = kept(object)).empty())
                found.push_back(std::move(object));
        };
        for (const int64_t pid : pids(true))
            for (const LoadedObjects files(proc_(), pid); const LoadedObjects::Object& object : files.all())
                if (object.has_code)
                    search(object.path, object.file);
        for (const Object& object : later_files())
            search(object.path, object.file);
        return found;
    }

    const ElfSymbols& symbols_of(const Object& object)
    {
        std::unique_ptr<const ElfSymbols>& symbols = symbols_[{object.path, object.file}];
        if (!symbols)
            symbols =
                std::make_unique<const ElfSymbols>(ElfSymbols::of_untrusted(*untrusted_, living_path(object.file)));
        return *symbols;
    }

    /// Returns the cold parts of functions, keyed by the symbol of the function. The compiler appends various suffixes,
    /// such as foo.cold and foo.cold.1.
    const ColdParts& cold_parts(const Object& object)
    {
        const auto [known, is_new] = cold_parts_.try_emplace({object.path, object.file});
        if (is_new)
            for (const ElfSymbols::Symbol& symbol : symbols_of(object).all())
                if (const std::size_t end = symbol.name.find(".cold"); end != std::string::npos)
                    if (const auto offset = symbols_of(object).code_offset(symbol.start))
                        known->second.emplace(symbol.name.substr(0, end), Range{*offset, *offset + symbol.size});
        return known->second;
    }

    /// Returns whether the files of the last queried process contain code that unwinds the stack. Returns true if no
    /// process was queried, because the file's probes then fire in every process that maps the file.
    bool unwinds()
    {
        return pid_ == 0 || std::any_of(files_.begin(), files_.end(), [&](const Key& key) {
                   const auto [known, is_new] = unwinding_.try_emplace(key, false);
                   if (is_new)
                       known->second = may_unwind(*untrusted_, living_path(key.second));
                   return known->second;
               });
    }

    Function described(const ElfSymbols& symbols, const ElfSymbols::Symbol& symbol, bool is_alias)
    {
        return {demangled(symbol.name),
                symbol.size,
                symbols.code_offset(symbol.start),
                symbol.is_ifunc,
                is_cold(symbol.name) && !symbols.is_go(),
                calls_of(symbol, symbols),
                symbols.is_go(),
                !symbols.is_go() && unwinds(),
                is_alias};
    }

    IndirectFunctions::Serving serving_for(const Object& object, const ElfSymbols::Symbol& indirect)
    {
        const ElfSymbols& symbols = symbols_of(object);
        if (symbols.is_32bit())
            return {};
        return indirect_.serving(object, symbols, indirect, [&](uint64_t address, std::size_t count) {
            const auto place = symbols.code_offset(address);
            return place ? bytes(object.file, *place, count) : std::vector<uint8_t>();
        });
    }

    using FileKey = std::array<int64_t, 4>; ///< identity of a file: device, inode, modification time (two numbers)

    /// Returns data that `read` has read from a file. The file is read once for all processes that map it. If the
    /// process through which the file is opened has ended meanwhile, returns empty data; the file is read again through
    /// another process.
    template <typename Found, typename Read>
    static const Found& remembered(std::map<FileKey, Found>& all, const Object& object, const Read& read)
    {
        static const Found kNothing{};
        const FileKey key = identity_of(object);
        const auto [known, is_new] = all.try_emplace(key);
        if (!is_new)
            return known->second;
        known->second = read();
        if (identity_of(object) == key)
            return known->second;
        all.erase(known);
        return kNothing;
    }

    static FileKey identity_of(const Object& object)
    {
        struct stat status {};
        if (stat(living_path(object.file).c_str(), &status) != 0)
            status = {};
        return {static_cast<int64_t>(status.st_dev), static_cast<int64_t>(status.st_ino), status.st_mtim.tv_sec,
                status.st_mtim.tv_nsec};
    }

    /// Returns the USDT probes of a file. The probes are cached by the file's identity, because most processes map the
    /// same few files.
    const usdt::FileProbes& probes_of(const Object& object)
    {
        return remembered(file_probes_, object,
                          [&] { return usdt::read_file_probes(*untrusted_, living_path(object.file)); });
    }

    /// Drops the cached symbols of files that are not among `objects`. The cache's keys are paths that contain a
    /// process id and a mapping, so other processes cannot use the entries.
    void forget_others(const std::vector<Object>& objects)
    {
        open_.reset();
        const auto is_other = [&](const auto& known) {
            return std::none_of(objects.begin(), objects.end(),
                                [&](const Object& object) { return Key(object.path, object.file) == known.first; });
        };
        std::erase_if(symbols_, is_other);
        std::erase_if(unwinding_, is_other);
        std::erase_if(cold_parts_, is_other);
    }

    std::function<std::string()> proc_;
    std::function<const Processes*()> session_;
    PrototypeSource prototypes_;
    VariableSource variables_;
    std::shared_ptr<UntrustedFiles> untrusted_;
    IndirectFunctions indirect_;
    std::map<FileKey, usdt::FileProbes> file_probes_;
    std::map<FileKey, std::string> build_ids_;
    std::map<FileKey, int> kept_;                              ///< descriptors of files that are kept open
    int64_t pid_ = 0;                                          ///< the last queried process
    std::map<Key, std::unique_ptr<const ElfSymbols>> symbols_; ///< symbols of the last queried process's files
    std::vector<Key> files_;                                   ///< files of the last queried process
    std::map<Key, bool> unwinding_;       ///< for each file of the last process, whether its code unwinds stacks
    std::map<Key, ColdParts> cold_parts_; ///< cold parts of the functions in files of the last queried process
    std::map<FileKey, std::vector<UnwinderFunction>> unwinders_;
    std::string open_name_;
    std::unique_ptr<const OpenFile> open_; ///< the file from which code was last read
};

} // namespace

std::unique_ptr<probes::ProcessView> live_processes(std::function<std::string()> proc,
                                                    std::function<const Processes*()> session,
                                                    PrototypeSource prototypes,
                                                    std::shared_ptr<UntrustedFiles> untrusted, VariableSource variables)
{
    return std::make_unique<LiveProcesses>(std::move(proc), std::move(session), std::move(prototypes),
                                           std::move(untrusted), std::move(variables));
}

// Detects code that unwinds stacks by its calls of a few functions of libgcc, libunwind or the C library. A file that
// defines a function of an unwinder is also treated as such code: it is the unwinder's library, or is statically linked
// with that library.
//
// Some functions of the C library unwind too (pthread_cancel, backtrace). The C library is in every process, so only
// files that call these functions count. This also applies to makecontext(), which gives a thread several stacks. With
// several stacks, calls return in another order than they began. The kernel has a single list of return addresses per
// thread and would mix them up. OpenSSL's library calls makecontext() only for programs that use its jobs, so the files
// that call OpenSSL's functions for jobs count instead.

namespace {

constexpr std::array<std::string_view, 7> kUnwinder = {"_Unwind_RaiseException",
                                                       "_Unwind_SjLj_RaiseException",
                                                       "_Unwind_ForcedUnwind",
                                                       "_Unwind_Backtrace",
                                                       "_Unwind_Resume",
                                                       "__cxa_throw",
                                                       "unw_step"};
constexpr std::array<std::string_view, 4> kLibrary = {"pthread_cancel", "pthread_exit", "thrd_exit", "backtrace"};
constexpr std::array<std::string_view, 5> kStacks = {"makecontext", "ASYNC_start_job", "SSL_waiting_for_async",
                                                     "SSL_get_all_async_fds", "SSL_get_changed_async_fds"};

/// Functions of unwinders, and for each function what its call means (DT_UNWINDER_*). libgcc defines all of them.
/// LLVM's unwinder defines all but _Unwind_Find_FDE, which finds frames.
const std::map<std::string_view, uint32_t> kUnwinderFunctions = {{"_Unwind_Find_FDE", DT_UNWINDER_FRAME},
                                                                 {"_Unwind_RaiseException", DT_UNWINDER_RAISE},
                                                                 {"_Unwind_Resume", DT_UNWINDER_RESUME},
                                                                 {"_Unwind_ForcedUnwind", DT_UNWINDER_FORCED},
                                                                 {"_Unwind_Resume_or_Rethrow", DT_UNWINDER_RETHROW},
                                                                 {"_Unwind_Backtrace", DT_UNWINDER_SEARCH},
                                                                 {"_Unwind_FindEnclosingFunction", DT_UNWINDER_SEARCH}};

template <typename Names> bool is_among(const Names& names, std::string_view name)
{
    return std::find(names.begin(), names.end(), name) != names.end();
}

bool has_unwinder_names(const std::string& path)
{
    const ElfFile file(path);
    if (!file.get())
        return false;
    bool unwinds = false, has_stacks = false, is_of_openssl = false, has_names = false;
    for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
        const std::string_view name = without_version(text);
        has_names = true;
        const bool matches_file = symbol.st_shndx == SHN_UNDEF;
        unwinds |= is_among(kUnwinder, name) || (matches_file && is_among(kLibrary, name));
        has_stacks |= matches_file && is_among(kStacks, name);
        is_of_openssl |= !matches_file && is_among(kStacks, name);
    });
    unwinds |= has_stacks && !is_of_openssl;
    // If the file has no symbols, it may be statically linked with an unwinder. Only its exception tables reveal that
    // it may unwind stacks.
    return unwinds || (!has_names && find_section(file.get(), ".gcc_except_table"));
}

using Functions = std::vector<probes::ProcessView::UnwinderFunction>;

Functions find_unwinder_functions(const std::string& path)
{
    const ElfFile file(path);
    std::map<std::string_view, GElf_Sym> found;
    if (file.get())
        for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
            const auto known = kUnwinderFunctions.find(without_version(text));
            if (known != kUnwinderFunctions.end() && symbol.st_shndx != SHN_UNDEF &&
                GELF_ST_TYPE(symbol.st_info) == STT_FUNC)
                found.emplace(known->first, symbol);
        });
    if (!found.contains("_Unwind_RaiseException"))
        return {};
    const bool finds_frames = found.contains("_Unwind_Find_FDE");
    const ElfSymbols symbols(path);
    Functions functions;
    for (const auto& [name, symbol] : found) {
        const uint32_t which = kUnwinderFunctions.at(name);
        const bool throws = which == DT_UNWINDER_RAISE || which == DT_UNWINDER_FORCED;
        const auto offset = symbols.code_offset(symbol.st_value);
        if (offset && (finds_frames || throws))
            functions.push_back({finds_frames ? which : DT_UNWINDER_UNREPORTED, *offset, symbol.st_size});
    }
    return functions;
}

} // namespace

bool may_unwind(UntrustedFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        return std::string(has_unwinder_names(std::string(file)) ? "1" : "");
    };
    const Result<std::string> answer = files.read(path, read, path);
    return answer ? !answer.value().empty() : answer.error().code != ENOENT;
}

Functions unwinder_functions(UntrustedFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        PackedWriter answer;
        answer.array(std::span<const Functions::value_type>(find_unwinder_functions(std::string(file))));
        return answer.take();
    };
    const Result<std::string> answer = files.read(path, read, path);
    PackedReader reply(answer ? std::string_view(answer.value()) : std::string_view());
    Functions functions = reply.array<Functions::value_type>();
    std::erase_if(functions, [](const auto& each) {
        return each.which != DT_UNWINDER_UNREPORTED &&
               std::none_of(kUnwinderFunctions.begin(), kUnwinderFunctions.end(),
                            [&](const auto& known) { return known.second == each.which; });
    });
    return functions;
}

} // namespace dt
