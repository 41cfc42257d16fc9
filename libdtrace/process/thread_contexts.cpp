// Locates thread contexts, reads the names of their attributes, and resolves thread-local variables. The words that are
// read from a process are untrusted, because its program may belong to another user. If the words are wrong, the BPF
// program reads other memory of that process, which causes no error and discloses nothing about other processes.
#include "libdtrace/process/thread_contexts.hpp"

#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <exception>
#include <iterator>
#include <protozero/pbf_reader.hpp>
#include <utility>

#include "base/packed_bytes.hpp"
#include "base/proc_file.hpp"
#include "dcompiler/interface/thread_names.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

constexpr auto kBudgetOfPass = std::chrono::milliseconds(20);
// Shortest interval between two examinations of a process. A new program has not mapped its libraries yet, so this
// interval is short.
constexpr auto kFirstWait = std::chrono::milliseconds(50);
// Longest interval between examinations of a process that does not contain the variable. The process may load a library
// that contains the variable later.
constexpr auto kMaxWait = std::chrono::seconds(10);
// maximum number of cached files, and maximum number of processes whose state is stored
constexpr std::size_t kMaxLookedAt = 16384;
constexpr uint64_t kMaxModules = 65536;
// The loader stores either an offset from the thread pointer or an address in the word. Offsets are below this limit,
// addresses are not.
constexpr uint64_t kMinAddress = 4 << 20;

using TwoWords = std::array<uint64_t, 2>;

std::optional<TwoWords> two_words_of(int memory, uint64_t address)
{
    TwoWords words{};
    if (::pread(memory, words.data(), sizeof words, static_cast<off_t>(address)) != sizeof words)
        return std::nullopt;
    return words;
}

dt_context_process at_offset(uint64_t offset)
{
    return {0, static_cast<int64_t>(offset), 0, 0, {}};
}

std::optional<dt_context_process> in_block_of_module(const TwoWords& place)
{
    const auto [module, offset] = place;
    if (module == 0 || module >= kMaxModules || offset >= INT32_MAX)
        return std::nullopt;
    return dt_context_process{
        0, static_cast<int64_t>(offset), static_cast<uint32_t>(module), machine::native().thread_locals.table, {}};
}

bool is_thread_offset(uint64_t word)
{
    const uint64_t distance = machine::native().thread_locals.is_below ? 0 - word : word;
    return distance != 0 && distance < kMinAddress;
}

/// Interprets the word (or two words) at `address`, in which the loader stores the variable's location. Returns nothing
/// if the loader has not stored the location yet, or if the content is invalid.
std::optional<dt_context_process> place_by(int memory, ThreadLocal::Filled how, uint64_t address)
{
    const std::optional<TwoWords> words = two_words_of(memory, address);
    if (!words)
        return std::nullopt;
    const auto [first, second] = *words;
    switch (how) {
    case ThreadLocal::Filled::Offset:
        return is_thread_offset(first) ? std::optional(at_offset(first)) : std::nullopt;
    case ThreadLocal::Filled::Module:
        return in_block_of_module(*words);
    case ThreadLocal::Filled::Descriptor:
        break;
    }
    if (first == 0)
        return std::nullopt;
    if (is_thread_offset(second))
        return at_offset(second);
    // the words form a TLS descriptor: `second` is the address of a structure with a module id and an offset, which
    // glibc passes to the descriptor's function
    const std::optional<TwoWords> place = two_words_of(memory, second);
    return place ? in_block_of_module(*place) : std::nullopt;
}

void name_attributes(const std::vector<std::string>& names, dt_context_process& process)
{
    for (std::size_t i = 0; i < std::min(names.size(), std::size(process.names)); ++i)
        process.names[i] = context_name_digest(names[i]);
}

} // namespace

ThreadContexts::ThreadContexts(std::string proc, std::shared_ptr<UntrustedFiles> untrusted)
    : proc_(std::move(proc)), untrusted_(std::move(untrusted))
{
}

ThreadContexts::~ThreadContexts()
{
    if (shared_)
        munmap(shared_, sizeof *shared_);
}

bool ThreadContexts::open(const Maps& maps)
{
    if (maps.shared < 0 || maps.processes < 0)
        return false;
    void* const mapped = mmap(nullptr, sizeof *shared_, PROT_READ | PROT_WRITE, MAP_SHARED, maps.shared, 0);
    if (mapped == MAP_FAILED)
        return false;
    shared_ = static_cast<dt_contexts*>(mapped);
    processes_map_ = maps.processes;
    return true;
}

void ThreadContexts::add(int64_t pid)
{
    if (shared_ && pid > 0)
        look_at(pid);
}

/// Returns whether the process must be examined now. A new process must be examined immediately. A process in which the
/// variable was not found must be examined again after an interval.
bool ThreadContexts::is_due(uint32_t wanted) const
{
    if (wanted == 0)
        return false;
    const auto known = retries_.find(static_cast<int64_t>(wanted & ~DT_CONTEXT_UNKNOWN));
    return (wanted & DT_CONTEXT_UNKNOWN) != 0 || known == retries_.end() || Clock::now() >= known->second.next;
}

bool ThreadContexts::has_news() const
{
    return shared_ && (!due_.empty() || std::any_of(std::begin(shared_->wanted), std::end(shared_->wanted),
                                                    [this](uint32_t wanted) { return is_due(wanted); }));
}

void ThreadContexts::update()
{
    const Clock::time_point begin = Clock::now();
    if (!shared_)
        return;
    for (uint32_t& slot : shared_->wanted) {
        const uint32_t wanted = slot == 0 ? 0 : __atomic_exchange_n(&slot, 0, __ATOMIC_RELAXED);
        if (!is_due(wanted))
            continue;
        const auto pid = static_cast<int64_t>(wanted & ~DT_CONTEXT_UNKNOWN);
        if ((wanted & DT_CONTEXT_UNKNOWN) != 0)
            retries_.erase(pid); // the process is examined immediately, because it may have executed another program
        due_.insert(pid);
    }
    while (!due_.empty() && Clock::now() - begin < kBudgetOfPass)
        look_at(due_.extract(due_.begin()).value());
}

void ThreadContexts::look_at(int64_t pid)
{
    if (files_.size() >= kMaxLookedAt)
        files_.clear(); // the cache is full; the removed files are read again when they are needed
    if (retries_.size() >= kMaxLookedAt)
        retries_.clear();
    const std::vector<Mapping> mapped = parse_maps(read_maps(proc_ + "/" + std::to_string(pid)));
    if (mapped.empty()) {
        retries_.erase(pid);
        return;
    }
    const int memory = ::open((process_folder(proc_, pid) + "/mem").c_str(), O_RDONLY | O_CLOEXEC);
    dt_context_process known =
        place_in(memory, files_of(pid, mapped)).value_or(dt_context_process{0, 0, DT_CONTEXT_NOWHERE, 0, {}});
    if (known.module != DT_CONTEXT_NOWHERE)
        name_attributes(context_names(memory, mapped), known);
    if (memory >= 0)
        ::close(memory);
    const auto key = static_cast<uint32_t>(pid);
    bpf_map_update_elem(processes_map_, &key, &known, BPF_ANY);
    Retry& retry = retries_[pid];
    retry.wait = std::clamp<Clock::duration>(2 * retry.wait, kFirstWait, kMaxWait);
    retry.next = Clock::now() + retry.wait;
}

std::vector<ThreadContexts::Used> ThreadContexts::files_of(int64_t pid, const std::vector<Mapping>& mapped)
{
    std::set<std::string_view> with_code, seen;
    for (const Mapping& mapping : mapped)
        if (mapping.is_code && mapping.path.starts_with('/'))
            with_code.insert(mapping.path);
    std::vector<Used> files;
    for (const Mapping& mapping : mapped) {
        if (!with_code.contains(mapping.path) || !seen.insert(mapping.path).second)
            continue;
        Used file;
        file.content = content_of(pid, mapping, file.is_executable);
        if (!file.content || !file.content->variable.is_there())
            continue;
        const auto page = static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
        const auto& loaded = file.content->loaded;
        const auto part = std::find_if(loaded.begin(), loaded.end(), [&](const auto& segment) {
            return segment.offset / page * page == mapping.offset;
        });
        if (part == loaded.end())
            continue;
        file.bias = mapping.start - part->address / page * page;
        files.push_back(file);
    }
    return files;
}

const ThreadContexts::Content* ThreadContexts::content_of(int64_t pid, const Mapping& mapping, bool& is_executable)
{
    struct stat status {};
    struct stat executable {};
    for (const std::string& name : names_of_mapped(proc_, pid, mapping)) {
        if (stat(name.c_str(), &status) != 0 || !S_ISREG(status.st_mode))
            continue;
        is_executable = stat((process_folder(proc_, pid) + "/exe").c_str(), &executable) == 0 &&
                        executable.st_dev == status.st_dev && executable.st_ino == status.st_ino;
        const File file{status.st_dev, status.st_ino,
                        static_cast<uint64_t>(status.st_mtim.tv_sec) * 1'000'000'000 +
                            static_cast<uint64_t>(status.st_mtim.tv_nsec),
                        static_cast<uint64_t>(status.st_size)};
        if (const auto known = files_.find(file); known != files_.end())
            return &known->second;
        const OpenFile opened(name);
        const ElfIdentification elf = identify_elf(opened.descriptor());
        Content content;
        if (elf.found && !elf.is_narrow) {
            content.variable = thread_context_variable(*untrusted_, opened.path());
            content.loaded = elf.loaded;
        }
        return &(files_[file] = std::move(content));
    }
    return nullptr;
}

std::optional<dt_context_process> ThreadContexts::place_in(int memory, const std::vector<Used>& files)
{
    for (const Used& file : files)
        if (file.is_executable && file.content->variable.is_defined)
            return at_offset(static_cast<uint64_t>(file.content->variable.offset_in_executable()));
    for (const Used& file : files)
        for (const ThreadLocal::Word& word : file.content->variable.words)
            if (const auto place = place_by(memory, word.how, file.bias + word.address))
                return place;
    return std::nullopt;
}

// Parses the process context, which is untrusted input from a traced process. All sizes are limited, and an invalid
// message yields no names.

namespace {

constexpr std::string_view kNamesOfAttributes = "threadlocal.attribute_key_map";
constexpr std::string_view kMappings[] = {"[anon:OTEL_CTX]", "[anon_shmem:OTEL_CTX]", "/memfd:OTEL_CTX"};
constexpr std::size_t kMaxMessage = std::size_t{64} << 10, kMaxNames = 256;

struct ProcessContextHead {
    char signature[8];
    uint32_t version, size;
    uint64_t published; // time at which the process published its context; 0 while the process is changing it
    uint64_t message;   // address of the ProcessContext message in the process
};

/// Returns the strings in a list (AnyValue, ArrayValue).
std::vector<std::string> texts_of(protozero::pbf_reader value)
{
    constexpr uint32_t kText = 1, kArray = 5, kValues = 1;
    std::vector<std::string> texts;
    while (value.next(kArray)) {
        protozero::pbf_reader array = value.get_message();
        while (array.next(kValues) && texts.size() < kMaxNames) {
            protozero::pbf_reader each = array.get_message();
            texts.push_back(each.next(kText) ? each.get_string() : std::string());
        }
    }
    return texts;
}

/// Returns the strings in a KeyValue message, or nothing if the message has another key than expected.
std::vector<std::string> names_of_attribute(protozero::pbf_reader attribute)
{
    constexpr uint32_t kKey = 1, kValue = 2;
    bool is_it = false;
    std::vector<std::string> texts;
    while (attribute.next()) {
        if (attribute.tag() == kKey)
            is_it = attribute.get_string() == kNamesOfAttributes;
        else if (attribute.tag() == kValue)
            texts = texts_of(attribute.get_message());
        else
            attribute.skip();
    }
    return is_it ? texts : std::vector<std::string>();
}

/// Returns the attribute names in a ProcessContext message, which contains a resource with attributes, and further
/// attributes of its own.
std::vector<std::string> names_of_context(protozero::pbf_reader context)
{
    constexpr uint32_t kResource = 1, kMore = 2, kOfResource = 1;
    std::vector<std::string> names;
    const auto visit = [&](const protozero::pbf_reader& attribute) {
        if (names.empty())
            names = names_of_attribute(attribute);
    };
    while (context.next()) {
        if (context.tag() == kMore) {
            visit(context.get_message());
        } else if (context.tag() == kResource) {
            protozero::pbf_reader resource = context.get_message();
            while (resource.next(kOfResource))
                visit(resource.get_message());
        } else {
            context.skip();
        }
    }
    return names;
}

} // namespace

std::vector<std::string> context_names_in(std::string_view message)
{
    try {
        return names_of_context(protozero::pbf_reader(message.data(), message.size()));
    } catch (const std::exception&) { // protozero throws if the message is not valid
        return {};
    }
}

std::vector<std::string> context_names(int memory, const std::vector<Mapping>& mapped)
{
    for (const Mapping& mapping : mapped) {
        if (std::find(std::begin(kMappings), std::end(kMappings), mapping.path) == std::end(kMappings))
            continue;
        ProcessContextHead head{};
        if (::pread(memory, &head, sizeof head, static_cast<off_t>(mapping.start)) != sizeof head ||
            std::memcmp(head.signature, "OTEL_CTX", sizeof head.signature) != 0 || head.version != 2 ||
            head.published == 0 || head.size > kMaxMessage)
            continue;
        std::string message(head.size, '\0');
        if (::pread(memory, message.data(), message.size(), static_cast<off_t>(head.message)) ==
            static_cast<ssize_t>(message.size()))
            return context_names_in(message);
    }
    return {};
}

namespace {

constexpr std::string_view kContextVariable = "otel_thread_ctx_v1";
// maximum number of words per file, because the file is untrusted; a file usually has one or two
constexpr std::size_t kMaxFilledWords = 16;

std::optional<ThreadLocal::Filled> filled_by(uint64_t type)
{
    const machine::ThreadLocals& known = machine::native().thread_locals;
    if (type == 0)
        return std::nullopt;
    if (type == known.offset)
        return ThreadLocal::Filled::Offset;
    if (type == known.descriptor)
        return ThreadLocal::Filled::Descriptor;
    return type == known.module ? std::optional(ThreadLocal::Filled::Module) : std::nullopt;
}

/// Returns whether the relocation refers to the variable. A relocation names the variable, or contains its offset in
/// the TLS block if the linker has already resolved the name.
bool is_of_variable(Elf* elf, const GElf_Shdr& header, const GElf_Rela& relocation, const ThreadLocal& variable)
{
    const auto number = GELF_R_SYM(relocation.r_info);
    if (number == 0)
        return variable.is_defined && relocation.r_addend >= 0 &&
               static_cast<uint64_t>(relocation.r_addend) == variable.offset;
    Elf_Scn* const section = elf_getscn(elf, header.sh_link);
    GElf_Shdr symbols;
    GElf_Sym symbol;
    if (!section || !gelf_getshdr(section, &symbols) || symbols.sh_entsize == 0)
        return false;
    Elf_Data* const data = elf_getdata(section, nullptr);
    if (!data || number > INT32_MAX || !gelf_getsym(data, static_cast<int>(number), &symbol))
        return false;
    const char* const name = elf_strptr(elf, symbols.sh_link, symbol.st_name);
    return name && std::string_view(name, strnlen(name, kLongestName)) == kContextVariable;
}

void find_words(Elf* elf, ThreadLocal& variable)
{
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0)
            continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(std::min<uint64_t>(header.sh_size / header.sh_entsize, INT32_MAX));
        GElf_Rela relocation;
        for (int i = 0; data && i < count && gelf_getrela(data, i, &relocation); ++i) {
            const auto how = filled_by(GELF_R_TYPE(relocation.r_info));
            if (how && is_of_variable(elf, header, relocation, variable) && variable.words.size() < kMaxFilledWords)
                variable.words.push_back({relocation.r_offset, *how});
        }
    }
}

void find_block(Elf* elf, ThreadLocal& variable)
{
    std::size_t count = 0;
    GElf_Phdr part;
    if (elf_getphdrnum(elf, &count) != 0)
        return;
    for (std::size_t i = 0; i < count && gelf_getphdr(elf, static_cast<int>(i), &part); ++i)
        if (part.p_type == PT_TLS) {
            variable.begin = part.p_vaddr;
            variable.size = part.p_memsz;
            variable.alignment = std::max<uint64_t>(part.p_align, 1);
        }
}

ThreadLocal find_context_variable(const std::string& path)
{
    ThreadLocal variable;
    const ElfFile file(path);
    bool is_named = false;
    if (!file.get())
        return variable;
    for_each_symbol(file.get(), [&](const GElf_Sym& symbol, std::string_view text) {
        if (GELF_ST_TYPE(symbol.st_info) != STT_TLS || without_version(text) != kContextVariable)
            return;
        is_named = true;
        if (symbol.st_shndx != SHN_UNDEF) {
            variable.is_defined = true;
            variable.offset = symbol.st_value;
        }
    });
    if (!is_named)
        return variable;
    find_block(file.get(), variable);
    find_words(file.get(), variable);
    return variable;
}

} // namespace

int64_t ThreadLocal::offset_in_executable() const
{
    // size in bytes of the header that lies between the thread pointer and the executable's thread-local variables
    constexpr uint64_t kHead = 16;
    const uint64_t mask = alignment - 1;
    if (machine::native().thread_locals.is_below)
        return static_cast<int64_t>(offset - (((begin + size + mask) & ~mask) - begin));
    return static_cast<int64_t>(offset + kHead + ((begin - kHead) & mask));
}

ThreadLocal thread_context_variable(UntrustedFiles& files, const std::string& path)
{
    const ReadFunction read = [](ReaderState&, std::string_view file) {
        const ThreadLocal found = find_context_variable(std::string(file));
        PackedWriter answer;
        if (!found.is_there())
            return answer.take();
        for (const uint64_t number :
             {uint64_t{found.is_defined}, found.offset, found.begin, found.size, found.alignment})
            answer.number(number);
        answer.array(std::span<const ThreadLocal::Word>(found.words));
        return answer.take();
    };
    const Result<std::string> answer = files.read(path, read, path);
    ThreadLocal variable;
    if (!answer || answer.value().empty())
        return variable;
    PackedReader reply(answer.value());
    variable.is_defined = reply.number() != 0;
    for (uint64_t* const number : {&variable.offset, &variable.begin, &variable.size, &variable.alignment})
        *number = reply.number();
    variable.words = reply.array<ThreadLocal::Word>();
    return reply.good() && variable.words.size() <= kMaxFilledWords ? variable : ThreadLocal{};
}

} // namespace dt
