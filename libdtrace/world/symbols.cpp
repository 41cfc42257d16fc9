// Finding the text of an address walks maps, files and symbol tables, and a run prints the same few addresses over and over: texts are kept, by
// form and use, until what they came from changes.
#include "libdtrace/world/symbols.hpp"

#include <cstdio>
#include <unordered_map>
#include <utility>

#include "libdtrace/elf/demangle.hpp"
#include "libdtrace/process/images.hpp"
#include "libdtrace/process/jit_symbols.hpp"
#include "libdtrace/process/source_lines.hpp"
#include "libdtrace/process/vdso.hpp"
#include "libdtrace/world/symbols_kernel.hpp"

namespace dt {

namespace {

std::string hexadecimal(uint64_t value)
{
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, "0x%llx", static_cast<unsigned long long>(value));
    return buffer;
}

// The one place that knows how an address is written. `name` empty: only the module is known; `module` empty: nothing is.
std::string write_address(uint64_t address, Symbols::Form form, std::string_view module, std::string_view name, uint64_t start_of_symbol, bool deleted = false)
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
    struct Place {
        const MappedPart* part = nullptr;
        const ElfSymbols::Symbol* symbol = nullptr;
        uint64_t start = 0; // of the symbol, in the process
        bool at_any_time = false;
        SourceLines* lines = nullptr; // null: not wanted
        uint64_t linked = 0;          // the address as the file has it

        std::string_view module() const { return part ? part->file->base_name() : symbol ? kJitModule : std::string_view{}; }
    };
    using Texts = std::unordered_map<uint64_t, std::string>;
    struct UserTexts {
        uint64_t version = 0;                                              // of the process's mappings
        Texts texts[7];                                                    // by form and use; [6] is noresolve
        std::unordered_map<uint64_t, std::vector<std::string>> inlined[6]; // by form and use
    };

    static constexpr std::size_t kMostTexts = 1 << 20;   // per form; then the cache starts again
    static constexpr std::size_t kMostProcesses = 16384; // likewise

    Impl(const std::string& proc_, std::shared_ptr<KernelSymbols> kernel_) : proc(proc_), kernel(std::move(kernel_)), images(proc_) {}

    const std::string proc; ///< where proc(5) is mounted
    std::shared_ptr<KernelSymbols> kernel;
    Texts kernel_texts[6]; // by form and use
    ProcessImages images;
    std::unordered_map<int64_t, UserTexts> user_texts;
    uint64_t time = 0; // Moment
    bool wants_lines = false;
    std::string unknown;
    std::vector<std::string> unknown_inlined;

    static std::size_t kind_of(Form form, Use use) { return static_cast<std::size_t>(form) * 2 + static_cast<std::size_t>(use); }

    Place find(int64_t pid, uint64_t address, Use use)
    {
        const uint64_t inside = address - (use == Use::Return ? 1 : 0);
        const ProcessImages::Found found = images.find(pid, inside, time);
        Place place;
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
            // Where a signal's handler returns to no call is in front of it. It is assembly: the kernel's, or no compiler's function, behind another
            // without a name.
            const ElfSymbols::Symbol* const next = symbols.find(linked + 1);
            place.symbol = next && (is_vdso || next->size == 0) ? next : nullptr;
        }
        if (place.symbol)
            place.start = inside - (linked - place.symbol->start);
        place.lines = wants_lines && !is_vdso ? file.lines.get() : nullptr;
        place.linked = linked;
        return place;
    }

    /// " (file.c:12)"; of an address that stands for its symbol, that of the symbol. Nothing where it is not known.
    static std::string line_text(const Place& place, Form form)
    {
        if (!place.lines || form == Form::Module)
            return {};
        const bool is_whole = form == Form::Symbol && place.symbol;
        const std::string line = is_whole ? place.lines->place(place.symbol->start) : place.lines->frames(place.linked).back().place;
        return line.empty() ? line : " (" + line + ")";
    }

    static std::string text_of(const Place& place, uint64_t address, Form form, bool noresolve)
    {
        if (noresolve)
            return place.part ? std::string(place.module()) + ":" + hexadecimal(address - place.part->start) : hexadecimal(address);
        return write_address(address, form, place.module(), place.symbol ? demangled(place.symbol->name) : "", place.start,
                             place.part && place.part->file->deleted) +
               line_text(place, form);
    }

    /// What was found of a process; forgotten when its mappings have changed.
    UserTexts& all_texts_of(int64_t pid)
    {
        if (user_texts.size() > kMostProcesses)
            user_texts.clear();
        UserTexts& known = user_texts[pid];
        if (const uint64_t version = images.version(pid); known.version != version)
            known = {version, {}, {}};
        return known;
    }

    Texts& texts_of(int64_t pid, std::size_t kind)
    {
        UserTexts& known = all_texts_of(pid);
        if (known.texts[kind].size() >= kMostTexts)
            known.texts[kind].clear();
        return known.texts[kind];
    }
};

Symbols::Symbols(const std::string& proc, std::shared_ptr<KernelSymbols> kernel)
    : impl_(std::make_unique<Impl>(proc, kernel ? std::move(kernel) : std::make_shared<KernelSymbols>(proc)))
{
}

Symbols::~Symbols() = default;

void Symbols::follow_processes(bool everyone)
{
    impl_->images.follow(everyone ? ProcessImages::Whom::Everyone : ProcessImages::Whom::Later);
}

uint64_t Symbols::unread_files() const
{
    return impl_->images.unread_files();
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

uint64_t Symbols::mappings_version(int64_t pid)
{
    return impl_->images.version(pid);
}

void Symbols::end_run()
{
    impl_->images.forget();
    impl_->kernel->forget_programs();
    impl_->user_texts.clear();
    for (Impl::Texts& texts : impl_->kernel_texts)
        texts.clear();
}

Symbols::Moment::Moment(Symbols& symbols, uint64_t time) : symbols_(symbols), before_(std::exchange(symbols.impl_->time, time)) {}

Symbols::Moment::~Moment()
{
    symbols_.impl_->time = before_;
}

std::string_view Symbols::kernel(uint64_t address, Form form, Use use)
{
    Impl::Texts& texts = impl_->kernel_texts[Impl::kind_of(form, use)];
    const auto known = texts.find(address);
    if (known != texts.end())
        return known->second;
    if (texts.size() >= Impl::kMostTexts)
        texts.clear();
    const KernelSymbols::Found found = impl_->kernel->find(address - (use == Use::Return ? 1 : 0));
    return texts[address] = write_address(address, form, found.module, found.name, found.start);
}

std::string_view Symbols::user(int64_t pid, uint64_t address, Form form, bool noresolve, Use use)
{
    if (address == DT_FRAMES_INCOMPLETE && use == Use::Return)
        return "[incomplete]";
    if (pid <= 0)
        return impl_->unknown = hexadecimal(address);
    const std::size_t kind = noresolve ? 6 : Impl::kind_of(form, use);
    {
        const Impl::Texts& texts = impl_->texts_of(pid, kind);
        if (const auto known = texts.find(address); known != texts.end())
            return known->second;
    }
    // Resolving may learn of new mappings, which empties the cache: it is looked up again after it.
    const Impl::Place place = impl_->find(pid, address, use);
    std::string text = Impl::text_of(place, address, form, noresolve);
    const bool is_known = place.part || place.symbol;
    if (!is_known || !place.at_any_time)
        return impl_->unknown = std::move(text);
    return impl_->texts_of(pid, kind)[address] = std::move(text);
}

const std::vector<std::string>& Symbols::inlined(int64_t pid, uint64_t address, Form form, Use use)
{
    impl_->unknown_inlined.clear();
    if (!impl_->wants_lines || pid <= 0 || (address == DT_FRAMES_INCOMPLETE && use == Use::Return))
        return impl_->unknown_inlined;
    const std::size_t kind = Impl::kind_of(form, use);
    {
        const auto& all = impl_->all_texts_of(pid).inlined[kind];
        if (const auto known = all.find(address); known != all.end())
            return known->second;
    }
    const Impl::Place place = impl_->find(pid, address, use);
    std::vector<std::string> texts;
    if (place.lines)
        for (const SourceLines::Frame& frame : place.lines->frames(place.linked))
            if (!frame.function.empty())
                texts.push_back(std::string(place.module()) + "`" + frame.function + " [inlined]" +
                                (frame.place.empty() || form != Form::Exact ? "" : " (" + frame.place + ")"));
    if (!place.part || !place.at_any_time) {
        impl_->unknown_inlined = std::move(texts);
        return impl_->unknown_inlined;
    }
    auto& all = impl_->all_texts_of(pid).inlined[kind];
    if (all.size() >= Impl::kMostTexts)
        all.clear();
    return all[address] = std::move(texts);
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
    const Impl::Place place = impl_->find(pid, address, Use::Exact);
    if (form == Form::Symbol)
        return place.symbol ? place.start : address;
    return place.part ? impl_->images.first_address(pid, *place.part) : address;
}

void Symbols::remember(int64_t pid)
{
    impl_->images.remember(pid);
}

} // namespace dt
