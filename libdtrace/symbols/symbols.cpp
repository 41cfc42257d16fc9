// Resolves addresses and caches the texts to print for them. Resolving an address is slow, because it searches
// mappings, files and symbol tables, but a run prints the same few addresses repeatedly. So the texts of addresses are
// cached until the mappings change or the cache is full (symbols.hpp).
#include "libdtrace/symbols/symbols.hpp"

#include <elf.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <tuple>

#include "bpf-runtime/interpreter_abi.h"
#include "libdtrace/elf/demangle.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/mappings/mapped_files.hpp"
#include "libdtrace/mappings/vdso.hpp"
#include "libdtrace/symbols/jit_symbols.hpp"
#include "libdtrace/symbols/kernel_symbols.hpp"
#include "libdtrace/symbols/mapping_history.hpp"

namespace dt {

namespace {

std::string hexadecimal(uint64_t value)
{
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
    return buffer;
}

// Formats an address; all texts of addresses are created here. An empty `name` means that only the module of the
// address is known. If `module` is empty too, the address is printed as a number.
std::string write_address(uint64_t address, Symbols::Form form, std::string_view module, std::string_view name,
                          uint64_t start_of_symbol, bool deleted = false)
{
    if (module.empty())
        return hexadecimal(address);
    std::string text(module);
    if (form == Symbols::Form::Module)
        return text;
    text += '`';
    if (name.empty())
        return text.append(hexadecimal(address)).append(deleted ? " (deleted)" : "");
    text += name;
    if (form == Symbols::Form::Exact && address != start_of_symbol)
        text.append("+").append(hexadecimal(address - start_of_symbol));
    return text;
}

} // namespace

struct Symbols::Impl {
    struct FoundSymbol {
        const MappedPart* part = nullptr;
        const ElfSymbols::Symbol* symbol = nullptr;
        uint64_t start = 0; // start address of the symbol in the process
        bool at_any_time = false;
        SandboxedLines* lines = nullptr; // lookup of source lines; null if source lines are not enabled
        uint64_t linked = 0;             // the resolved address, converted to a link-time address of the file

        std::string_view module() const
        {
            return part ? part->file->base_name() : symbol ? kJitModule : std::string_view{};
        }
    };
    using Texts = AddressTexts<std::string>;
    using Inlined = AddressTexts<std::vector<std::string>>;

    static constexpr std::size_t kMaxTexts = std::size_t{16} << 20; // maximum size of cached texts in bytes
    // Maximum size of cached texts in bytes if addresses are printed soon after they are recorded.
    static constexpr std::size_t kMaxNewTexts = std::size_t{1} << 19;
    // Maximum size of cached texts of inlined functions in bytes.
    static constexpr std::size_t kMaxInlined = std::size_t{16} << 20;
    // First number for the kinds of text that are printed with option noresolve. Lower numbers are results of
    // kind_of(), for texts with names.
    static constexpr std::size_t kNoresolve = 6;

    Impl(const std::string& proc_, std::shared_ptr<KernelSymbols> kernel_, std::shared_ptr<UntrustedFiles> untrusted)
        : proc(proc_), kernel(std::move(kernel_)), images(proc_, std::move(untrusted))
    {
    }

    const std::string proc; ///< mount point of proc(5)
    std::shared_ptr<KernelSymbols> kernel;
    std::vector<std::string> known; // texts of the addresses in a recording from another machine, set by know_texts()
    MappingHistory images;
    Texts texts{kMaxTexts}; // the key consists of the process (0: the kernel), the address, and kind_of(form, use)
    Inlined all_inlined{kMaxInlined};
    uint64_t time = 0; // time of the current Moment (symbols.hpp); 0 if there is none
    bool wants_lines = false;
    bool are_kept = true; ///< whether addresses may be resolved long after they were recorded (follow_processes())
    std::string unknown;
    std::vector<std::string> unknown_inlined;
    // Returns the interpreted frame for a word of a stack; set by name_interpreted().
    std::function<const InterpretedFrame*(uint64_t word)> frame_of;

    const InterpretedFrame* interpreted(uint64_t word) const
    {
        return word >> 56 == DT_INTERPRETER_TAG && frame_of ? frame_of(word) : nullptr;
    }

    void limit_texts(std::size_t of_texts, std::size_t of_inlined)
    {
        const std::size_t most = are_kept ? kMaxTexts : kMaxNewTexts;
        texts.set_max_bytes(std::min(of_texts, most));
        all_inlined.set_max_bytes(std::min(of_inlined, most));
    }

    static std::size_t kind_of(Form form, Use use)
    {
        return static_cast<std::size_t>(form) * 2 + static_cast<std::size_t>(use);
    }

    FoundSymbol find(int64_t pid, uint64_t address, Use use)
    {
        const uint64_t inside = address - (use == Use::Return ? 1 : 0);
        const MappingHistory::Found found = images.find(pid, inside, time);
        FoundSymbol place;
        place.at_any_time = found.at_any_time;
        place.symbol = found.jit;
        place.start = found.jit ? found.jit->start : 0;
        if (!found.part)
            return place;
        place.part = found.part;
        const MappedFile& file = *found.part->file;
        const bool is_vdso = file.path == kVdso;
        if (file.path.front() != '/' && !is_vdso)
            return place;
        const ElfSymbols& symbols = images.symbols_of(pid, *found.part);
        const uint64_t linked = symbols.address_of_offset(inside - found.part->start + found.part->offset);
        place.symbol = symbols.find(linked);
        if (!place.symbol && use == Use::Return) {
            // The return address of a signal handler does not follow a call instruction. It is the start of an assembly
            // trampoline in the vdso or in the C library. In the C library, the trampoline's symbol has size 0.
            const ElfSymbols::Symbol* const next = symbols.find(linked + 1);
            place.symbol = next && (is_vdso || next->size == 0) ? next : nullptr;
        }
        if (place.symbol)
            place.start = inside - (linked - place.symbol->start);
        place.lines = wants_lines && !is_vdso ? file.lines.get() : nullptr;
        place.linked = linked;
        return place;
    }

    /// Returns the source line, such as " (file.c:12)". If the form prints only the symbol, returns the line at which
    /// the symbol begins. Returns an empty string if the line is unknown.
    static std::string line_text(const FoundSymbol& place, Form form)
    {
        if (!place.lines || form == Form::Module)
            return {};
        const bool is_whole = form == Form::Symbol && place.symbol;
        const std::string line =
            is_whole ? place.lines->place(place.symbol->start) : place.lines->frames(place.linked).back().place;
        return line.empty() ? line : " (" + line + ")";
    }

    static std::string text_of(const FoundSymbol& place, uint64_t address, Form form, bool noresolve)
    {
        if (noresolve)
            return place.part ? std::string(place.module()) + ":" + hexadecimal(address - place.part->start)
                              : hexadecimal(address);
        return write_address(address, form, place.module(), place.symbol ? demangled(place.symbol->name) : "",
                             place.start, place.part && place.part->file->deleted) +
               line_text(place, form);
    }
};

Symbols::Symbols(const std::string& proc, std::shared_ptr<KernelSymbols> kernel,
                 std::shared_ptr<UntrustedFiles> untrusted)
    : impl_(std::make_unique<Impl>(proc, kernel ? std::move(kernel) : std::make_shared<KernelSymbols>(proc),
                                   untrusted ? std::move(untrusted) : UntrustedFiles::make()))
{
}

Symbols::~Symbols() = default;

void Symbols::follow_processes(bool everyone, bool are_kept)
{
    // Maximum number of ended processes whose data are stored. It is small, because it is used only if addresses are
    // printed within a second of their recording.
    constexpr std::size_t kMaxJustEnded = 2048;
    impl_->images.set_max_ended(are_kept ? ProcessTable::kMaxKnown : kMaxJustEnded);
    impl_->are_kept = are_kept;
    if (!are_kept)
        impl_->limit_texts(Impl::kMaxNewTexts, Impl::kMaxNewTexts);
    impl_->images.follow(everyone ? MappingHistory::FollowScope::AllProcesses : MappingHistory::FollowScope::Later);
}

uint64_t Symbols::unread_files() const
{
    return impl_->images.unread_files();
}

uint64_t Symbols::forgotten_processes() const
{
    return impl_->images.forgotten_processes();
}

void Symbols::limit_memory(std::optional<uint64_t> bytes)
{
    constexpr std::size_t kProcesses = ProcessTable::Bounds{}.bytes, kFiles = MappedFiles::kMaxBytes,
                          kTexts = Impl::kMaxTexts, kInlined = Impl::kMaxInlined;
    constexpr uint64_t kAll = kProcesses + kFiles + kTexts + kInlined;
    static_assert(kAll == kMaxMemory);
    const auto share = [most = std::min(bytes.value_or(kAll), kAll)](std::size_t usual) {
        return static_cast<std::size_t>(most * (usual >> 20) / (kAll >> 20));
    };
    impl_->images.set_max_bytes(share(kProcesses), share(kFiles));
    impl_->limit_texts(share(kTexts), share(kInlined));
}

void Symbols::want_lines(bool wanted)
{
    impl_->wants_lines = wanted;
    impl_->images.want_lines(wanted);
}

void Symbols::update()
{
    impl_->images.update();
}

int Symbols::descriptor() const
{
    return impl_->images.descriptor();
}

uint64_t Symbols::mappings_version(int64_t pid)
{
    return impl_->images.version(pid);
}

void Symbols::end_run()
{
    impl_->images.forget();
    impl_->kernel->forget_programs();
    impl_->texts.clear();
    impl_->all_inlined.clear();
    impl_->frame_of = {};
}

Symbols::Moment::Moment(Symbols& symbols, uint64_t time)
    : symbols_(symbols), before_(std::exchange(symbols.impl_->time, time))
{
}

Symbols::Moment::~Moment()
{
    symbols_.impl_->time = before_;
}

void Symbols::know_texts(std::vector<std::string> texts)
{
    impl_->known = std::move(texts);
}

void Symbols::name_interpreted(std::function<const InterpretedFrame*(uint64_t word)> frame_of)
{
    impl_->frame_of = std::move(frame_of);
}

std::string_view Symbols::kernel(uint64_t address, Form form, Use use)
{
    if (address - 1 < impl_->known.size())
        return impl_->known[address - 1];
    const Impl::Texts::Key key{0, address, Impl::kind_of(form, use)};
    if (const std::string* const known = impl_->texts.find(key, 0))
        return *known;
    const KernelSymbols::Found found = impl_->kernel->find(address - (use == Use::Return ? 1 : 0));
    return impl_->texts.add(key, 0, write_address(address, form, found.module, found.name, found.start));
}

std::string_view Symbols::user(int64_t pid, uint64_t address, Form form, bool noresolve, Use use)
{
    if (address == DT_FRAMES_INCOMPLETE && use == Use::Return)
        return "[incomplete]";
    if (const InterpretedFrame* const frame = impl_->interpreted(address))
        return frame->text;
    if (pid <= 0)
        return impl_->unknown = hexadecimal(address);
    const Impl::Texts::Key key{pid, address, noresolve ? Impl::kNoresolve : Impl::kind_of(form, use)};
    if (const std::string* const known = impl_->texts.find(key, impl_->images.version(pid)))
        return *known;
    const Impl::FoundSymbol place = impl_->find(pid, address, use);
    std::string text = Impl::text_of(place, address, form, noresolve);
    // the version is read after find(), because find() may apply new mappings
    const uint64_t version = impl_->images.version(pid);
    if ((!place.part && !place.symbol) || !place.at_any_time || version == 0)
        return impl_->unknown = std::move(text);
    return impl_->texts.add(key, version, std::move(text));
}

const std::vector<std::string>& Symbols::inlined(int64_t pid, uint64_t address, Form form, Use use)
{
    impl_->unknown_inlined.clear();
    if (!impl_->wants_lines || pid <= 0 || impl_->interpreted(address) ||
        (address == DT_FRAMES_INCOMPLETE && use == Use::Return))
        return impl_->unknown_inlined;
    const Impl::Inlined::Key key{pid, address, Impl::kind_of(form, use)};
    if (const std::vector<std::string>* const known = impl_->all_inlined.find(key, impl_->images.version(pid)))
        return *known;
    const Impl::FoundSymbol place = impl_->find(pid, address, use);
    std::vector<std::string> texts;
    if (place.lines)
        for (const SourceLines::Frame& frame : place.lines->frames(place.linked))
            if (!frame.function.empty())
                texts.push_back(std::string(place.module()) + "`" + frame.function + " [inlined]" +
                                (frame.place.empty() || form != Form::Exact ? "" : " (" + frame.place + ")"));
    const uint64_t version = impl_->images.version(pid);
    if (!place.part || !place.at_any_time || version == 0) {
        impl_->unknown_inlined = std::move(texts);
        return impl_->unknown_inlined;
    }
    return impl_->all_inlined.add(key, version, std::move(texts));
}

AddressOrigin Symbols::origin_in_kernel(uint64_t address, Use use)
{
    const KernelSymbols::Found found = impl_->kernel->find(address - (use == Use::Return ? 1 : 0));
    AddressOrigin origin;
    if (!found.name.empty())
        origin.functions.push_back({std::string(found.name), {}, 0});
    if (found.module.empty())
        return origin;
    const std::string module(found.module);
    const bool is_core = module == "vmlinux";
    origin.path = is_core ? "[kernel.kallsyms]" : "[" + module + "]";
    origin.build_id =
        build_id_of_notes(is_core ? "/sys/kernel/notes" : "/sys/module/" + module + "/notes/.note.gnu.build-id");
    // The module range that the kernel's symbols give for the core kernel also includes per-CPU variables, which are
    // outside of the kernel's image.
    std::tie(origin.start, origin.end) = impl_->kernel->module_range(module);
    if (const auto text = is_core ? impl_->kernel->lookup(module, "_text") : std::nullopt)
        origin.start = text->address;
    if (const auto etext = is_core && origin.end == 0 ? impl_->kernel->lookup(module, "_etext") : std::nullopt)
        // kallsyms contains no _end if it lists only functions, so the end of the code is used
        origin.end = etext->address;
    return origin;
}

AddressOrigin Symbols::origin_in_user(int64_t pid, uint64_t address, Use use, bool noresolve)
{
    AddressOrigin origin;
    if (const InterpretedFrame* const frame = impl_->interpreted(address)) {
        origin.functions.push_back(frame->function);
        return origin;
    }
    if (pid <= 0)
        return origin;
    const Impl::FoundSymbol place = impl_->find(pid, address, use);
    if (place.part) {
        const MappedFile& file = *place.part->file;
        origin.path = file.path;
        origin.build_id = build_id_text(file.build_id.empty() ? file.read_build_id : file.build_id);
        origin.start = place.part->start;
        origin.end = place.part->end;
        origin.offset = place.part->offset;
    }
    if (noresolve)
        return origin;
    const auto add = [&origin](const std::string& name, const std::string& at) {
        const std::size_t colon = at.rfind(':');
        uint32_t line = 0;
        if (colon != std::string::npos)
            std::from_chars(at.data() + colon + 1, at.data() + at.size(), line);
        origin.functions.push_back({name, at.substr(0, line != 0 ? colon : std::string::npos), line});
    };
    const std::string symbol = place.symbol ? demangled(place.symbol->name) : "";
    if (!place.lines) {
        if (place.symbol)
            add(symbol, {});
        return origin;
    }
    for (const SourceLines::Frame& frame : place.lines->frames(place.linked))
        if (const std::string& name = frame.function.empty() ? symbol : frame.function; !name.empty())
            add(name, frame.place);
    return origin;
}

uint64_t Symbols::reduce_kernel(uint64_t address, Form form)
{
    if (form == Form::Exact)
        return address;
    const KernelSymbols::Found found = impl_->kernel->find(address);
    if (found.module.empty())
        return address;
    if (form == Form::Module)
        return impl_->kernel->module_start(found.module);
    return found.name.empty() ? address : found.start;
}

uint64_t Symbols::reduce_user(int64_t pid, uint64_t address, Form form)
{
    if (form == Form::Exact)
        return address;
    const Impl::FoundSymbol place = impl_->find(pid, address, Use::Exact);
    if (form == Form::Symbol)
        return place.symbol ? place.start : address;
    return place.part ? impl_->images.first_address(pid, *place.part) : address;
}

void Symbols::remember(int64_t pid)
{
    impl_->images.remember(pid);
}

// Reads build ids from ELF notes. A note is a header of three words, a name and a description, each padded to a
// multiple of four bytes (elf(5), Notes).

std::string build_id_of_notes(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string notes{std::istreambuf_iterator<char>(file), {}};
    const auto padded = [](uint64_t size) { return (size + 3) / 4 * 4; };
    Elf64_Nhdr note;
    for (std::size_t at = 0; notes.size() - at >= sizeof note;) {
        std::memcpy(&note, notes.data() + at, sizeof note);
        const uint64_t name = at + sizeof note, text = name + padded(note.n_namesz), end = text + padded(note.n_descsz);
        if (end > notes.size())
            break;
        if (note.n_type == NT_GNU_BUILD_ID &&
            std::string_view(notes).substr(name, note.n_namesz) == std::string_view("GNU", 4))
            return build_id_text(std::string_view(notes).substr(text, note.n_descsz));
        at = end;
    }
    return {};
}

} // namespace dt

// Determines whether a program prints addresses of processes as names. If it does, the mappings of processes must be
// followed for the whole run, which is costly.

namespace dt::consume {

namespace {

bool is_user_address(const Datum& datum)
{
    return datum.kind == Datum::Kind::UserStack || datum.kind == Datum::Kind::UserSymbol;
}

} // namespace

bool names_user_addresses(const Schema& schema)
{
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            if (std::any_of(record.data.begin(), record.data.end(), is_user_address) ||
                record.format.find('A') != std::string::npos)
                return true;
    return keeps_user_addresses(schema);
}

bool keeps_user_addresses(const Schema& schema)
{
    for (const StatementSchema& statement : schema.statements)
        for (const Record& record : statement.records)
            if (!record.aggregations.empty() && record.format.find('A') != std::string::npos)
                return true;
    return std::any_of(schema.aggregations.begin(), schema.aggregations.end(),
                       [&](const AggregationSchema& aggregation) {
                           return std::any_of(aggregation.keys.begin(), aggregation.keys.end(), is_user_address);
                       });
}

} // namespace dt::consume
