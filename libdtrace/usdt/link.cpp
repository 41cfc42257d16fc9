// Writes the output of -G, an object file with a description of probes.
//
// The description is DOF in its own section. It contains the address of each function that contains probe sites. The
// linker fills in the addresses. In a position-independent program the loader fills them in, and therefore the section
// is writable. The linker must keep the section although nothing refers to it.
//
// A build may pass no objects to -G, or objects whose code is generated at link time (-flto). Then -G cannot replace
// the calls of probes. Instead its output defines the called functions. Each of them consists of a no-op and a return,
// and the probe is attached to the no-op.
//
// Calls that query whether a probe is enabled are not replaced, and the output defines the called functions. Each of
// these functions reads a 16-bit counter, which the kernel increments in every process while the probe is attached,
// like SystemTap's semaphores. A note (notes.hpp) contains the addresses of the counters.
#include "libdtrace/usdt/link.hpp"

#include <elf.h>
#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <map>
#include <optional>
#include <span>

#include "dcompiler/interface/probes.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/usdt/dof.hpp"
#include "libdtrace/usdt/notes.hpp"
#include "libdtrace/usdt/object_writer.hpp"

namespace dt::usdt {
namespace {

// maximum number of sites per probe and function, because counts in DOF have 16 bits
constexpr std::size_t kMaxSites = 65535;

/// The described probes of a provider. A probe has one element for each function that contains sites of the probe.
struct Described {
    std::vector<DofProbe> probes;
    std::vector<std::string> symbols; ///< symbols[i] is the symbol of the function that contains the sites of probes[i]
};

const DefinedProbe* probe_of(const DefinedProvider& provider, const std::string& name)
{
    const auto found = std::find_if(provider.probes.begin(), provider.probes.end(),
                                    [&](const DefinedProbe& probe) { return probe.name == name; });
    return found == provider.probes.end() ? nullptr : &*found;
}

std::vector<std::string> texts(const std::vector<const Type*>& types)
{
    std::vector<std::string> result;
    std::transform(types.begin(), types.end(), std::back_inserter(result),
                   [](const Type* type) { return to_string(type); });
    return result;
}

Result<Described> described(const DefinedProvider& provider, const std::vector<CallSite>& sites)
{
    Described result;
    // Index of each element in result.probes. The key consists of the function's symbol and the probe's name.
    std::map<std::pair<std::string, std::string>, std::size_t> places;
    for (const CallSite& site : sites) {
        if (site.name.provider != provider.name)
            continue;
        const DefinedProbe* const defined = probe_of(provider, site.name.probe);
        if (!defined)
            return Error{"undefined probe " + site.name.probe + " for probe provider " + provider.name + " (function " +
                         site.function + (site.name.asks ? " tests whether it is enabled)" : " fires it)")};
        if (!site.is_replaced)
            continue;
        const auto [place, is_new] = places.try_emplace({site.symbol, site.name.probe}, result.probes.size());
        if (is_new) {
            result.probes.push_back({provider.name,
                                     defined->name,
                                     site.function,
                                     {},
                                     {},
                                     defined->declared,
                                     texts(defined->output),
                                     defined->mapping});
            result.symbols.push_back(site.symbol);
        }
        DofProbe& probe = result.probes[place->second];
        (site.name.asks ? probe.is_enabled_sites : probe.sites).push_back(site.offset);
        if (probe.sites.size() > kMaxSites || probe.is_enabled_sites.size() > kMaxSites)
            return Error{"too many probe sites of " + provider.name + ":::" + defined->name + " in function " +
                         site.function};
    }
    return result;
}

/// Describes a function for each probe of the provider. Objects that were not given to -G still call this function,
/// which therefore contains a probe site.
Described functions(const DefinedProvider& provider)
{
    Described result;
    for (const DefinedProbe& probe : provider.probes) {
        const std::string name =
            std::string(kFirePrefix) + provider.name + std::string(kBetween) + underscored(probe.name);
        result.probes.push_back(
            {provider.name, probe.name, name, {0}, {}, probe.declared, texts(probe.output), probe.mapping});
        result.symbols.push_back(name);
    }
    return result;
}

/// Returns whether the output must define the function that queries whether the probe is enabled, because some calls of
/// that function were not replaced.
bool is_asked_for(const DefinedProvider& provider, const DefinedProbe& probe, const std::vector<CallSite>& sites)
{
    return std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
        return !site.is_replaced && site.name.provider == provider.name && site.name.probe == probe.name;
    });
}

/// Creates unwind information for code that does not use the stack. Sets `range_at` to the offset of the code's address
/// in that information. For this address, the caller adds a relocation to the code's symbol.
std::vector<uint8_t> frame_description(const machine::Machine& machine, std::size_t code_size, uint64_t& range_at)
{
    constexpr uint8_t kDefineCfa = 0x0c, kSavedAt = 0x80, kRelative32 = 0x1b, kMinusEight = 0x78;
    const auto stack = static_cast<uint8_t>(machine.unwind.stack_pointer);
    const auto address = static_cast<uint8_t>(machine.unwind.return_address);
    const auto word = static_cast<uint8_t>(machine.unwind.is_linked ? 0 : machine.unwind.word);
    constexpr uint8_t kFirst = 20, kSecond = 20; // sizes of the two entries (CIE and FDE) after their length fields
    std::vector<uint8_t> bytes = {kFirst, 0, 0, 0,           0,       0, 0,           0,          1,     'z',
                                  'R',    0, 1, kMinusEight, address, 1, kRelative32, kDefineCfa, stack, word};
    if (!machine.unwind.is_linked)
        bytes.insert(bytes.end(), {static_cast<uint8_t>(kSavedAt | address), 1});
    bytes.resize(4 + kFirst);
    const auto cie = static_cast<uint8_t>(bytes.size() + 4);
    bytes.insert(bytes.end(), {kSecond, 0, 0, 0, cie, 0, 0, 0});
    range_at = bytes.size();
    for (const uint64_t word_of_range : {uint64_t{0}, uint64_t{code_size}})
        for (unsigned shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<uint8_t>(word_of_range >> shift));
    bytes.resize(4 + kFirst + 4 + kSecond);
    return bytes;
}

/// The output of -G: the DOF description, functions that the program may need, and the relocations of both.
class LinkedObject {
public:
    explicit LinkedObject(const machine::Machine& machine) : machine_(machine) {}

    void add(const Dof& dof, const std::vector<std::string>& symbols)
    {
        const std::size_t base = dof_.size();
        dof_.insert(dof_.end(), dof.bytes.begin(), dof.bytes.end());
        for (std::size_t i = 0; i < symbols.size(); ++i)
            relocations_.push_back({base + dof.addresses[i], machine_.relocations.word, symbols[i]});
    }

    /// Defines the functions that contain a no-op and a return. `symbols` are the names of the functions.
    void define(const std::vector<std::string>& symbols)
    {
        for (const std::string& symbol : symbols)
            add_function(symbol, machine_.idle_function);
    }

    /// Defines a counter, and a function that reads the counter and returns whether a probe is enabled. Returns the
    /// symbol of this function.
    std::string define_question(const DefinedProvider& provider, const DefinedProbe& probe)
    {
        const std::string name = provider.name + std::string(kBetween) + underscored(probe.name);
        const std::string counter = std::string(kCounterPrefix) + name;
        const auto& [code, references] = machine_.question_function;
        code_.resize((code_.size() + kCodeAlignment - 1) / kCodeAlignment * kCodeAlignment);
        for (const auto& reference : references)
            code_references_.push_back({code_.size() + reference.offset, reference.type, counter, reference.addend});
        const std::string function = std::string(kEnabledPrefix) + name;
        add_function(function, code);
        notes_references_.push_back(
            {add_counter_note(notes_, provider.name, probe.name), machine_.relocations.word, counter});
        counters_.push_back(counter);
        return function;
    }

    const std::vector<uint8_t>& dof() const { return dof_; }

    std::vector<uint8_t> write() const
    {
        ObjectWriter object(machine_);
        object.add_section({".note.GNU-stack"});
        if (!code_.empty()) {
            const uint16_t text =
                object.add_section({".text", SHT_PROGBITS, SHF_ALLOC | SHF_EXECINSTR, 16, code_, code_references_});
            uint64_t range_at = 0;
            auto frames = frame_description(machine_, code_.size(), range_at);
            object.add_section({".eh_frame",
                                SHT_PROGBITS,
                                SHF_ALLOC,
                                8,
                                std::move(frames),
                                {{range_at, machine_.relocations.distance, kCode}}});
            object.add_symbol(kCode, ELF64_ST_INFO(STB_LOCAL, STT_NOTYPE), STV_DEFAULT, text, 0, 0);
            // the symbols are weak, because two objects of a program may define these functions
            for (const auto& [name, at, size] : functions_)
                object.add_symbol(name, ELF64_ST_INFO(STB_WEAK, STT_FUNC), STV_HIDDEN, text, at, size);
        }
        if (!counters_.empty())
            add_counters(object);
        if (!dof_.empty()) {
            const uint16_t dof = object.add_section(
                {kDofSection, kDofSectionType, SHF_ALLOC | SHF_WRITE | SHF_GNU_RETAIN, 8, dof_, relocations_});
            object.add_symbol("___SUNW_dof", ELF64_ST_INFO(STB_LOCAL, STT_OBJECT), STV_DEFAULT, dof, 0, 0);
        }
        return object.write();
    }

private:
    struct Function {
        std::string name;
        uint64_t at, size;
    };

    void add_function(const std::string& name, std::span<const uint8_t> code)
    {
        functions_.push_back({name, code_.size(), code.size()});
        code_.insert(code_.end(), code.begin(), code.end());
    }

    void add_counters(ObjectWriter& object) const
    {
        constexpr std::size_t kSize = sizeof(uint16_t);
        const uint16_t section = object.add_section({kCounterSection, SHT_PROGBITS, SHF_ALLOC | SHF_WRITE, kSize,
                                                     std::vector<uint8_t>(counters_.size() * kSize)});
        for (std::size_t i = 0; i < counters_.size(); ++i)
            object.add_symbol(counters_[i], ELF64_ST_INFO(STB_WEAK, STT_OBJECT), STV_HIDDEN, section, i * kSize, kSize);
        object.add_section({kCounterNoteSection, SHT_NOTE, 0, 4, notes_, notes_references_});
    }

    static constexpr char kCode[] = ".Lcode";
    // The counters are not in .bss, because the kernel needs their bytes in the file.
    static constexpr char kCounterSection[] = ".data.dtrace_counters";
    static constexpr std::string_view kCounterPrefix = "__dtrace_counter_";
    static constexpr std::size_t kCodeAlignment = 4;
    const machine::Machine& machine_;
    std::vector<uint8_t> dof_, code_, notes_;
    std::vector<ObjectWriter::Relocation> relocations_, code_references_, notes_references_;
    std::vector<Function> functions_;
    std::vector<std::string> counters_; ///< symbols of the counters
};

} // namespace

Result<CallSites> take_call_sites(const std::vector<std::string>& objects, LinkedForm form)
{
    const Questions questions = form == LinkedForm::Elf ? Questions::Stay : Questions::AreReplaced;
    CallSites all;
    for (const std::string& object : objects) {
        auto taken = take_call_sites(object, questions);
        if (!taken)
            return Error{object + ": " + taken.error().message, taken.error().code};
        all.some_are_intermediate |= taken->some_are_intermediate;
        std::vector<CallSite>& sites = taken->sites;
        if (!all.sites.empty() && !sites.empty() && sites.front().machine != all.sites.front().machine)
            return Error{object + ": an object file for another machine than the object files before it"};
        all.sites.insert(all.sites.end(), sites.begin(), sites.end());
    }
    return all;
}

Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions, LinkedForm form)
{
    const machine::Machine& machine = sites.empty() ? machine::native() : *sites.front().machine;
    if (define_functions && machine.idle_function.empty())
        return Error{"-G on " + std::string(machine.words) +
                     " needs object files that contain the probe calls as machine code"};
    LinkedObject object(machine);
    for (const DefinedProvider* provider : providers) {
        auto probes = described(*provider, sites);
        if (!probes)
            return probes.error();
        if (define_functions) {
            const Described made = functions(*provider);
            object.define(made.symbols);
            probes->probes.insert(probes->probes.end(), made.probes.begin(), made.probes.end());
            probes->symbols.insert(probes->symbols.end(), made.symbols.begin(), made.symbols.end());
        }
        for (const DefinedProbe& probe : provider->probes)
            if (define_functions || is_asked_for(*provider, probe, sites)) {
                const std::string function = object.define_question(*provider, probe);
                // this tracer finds the probe through the note about its counter; this element of the DOF is for other
                // implementations of DTrace
                probes->probes.push_back({provider->name,
                                          probe.name,
                                          function,
                                          {},
                                          {0},
                                          probe.declared,
                                          texts(probe.output),
                                          probe.mapping});
                probes->symbols.push_back(function);
            }
        if (!probes->probes.empty())
            object.add(make_dof(*provider, probes->probes), probes->symbols);
    }
    if (object.dof().empty() && !define_functions)
        return Error{"No probe sites found for declared provider"};
    return form == LinkedForm::Dof ? object.dof() : object.write();
}

// Replaces calls of probes in object files. Each relocation that refers to a probe's function marks a call of five or
// six bytes. The call becomes a no-op, so that an idle probe costs almost nothing, and the relocation becomes a null
// relocation. A tail call (a jump) becomes a no-op and a return. The probe is attached to the no-op; a firing there
// costs a tenth of a firing on the return.
//
// The addresses of functions are determined only when the program is linked, so the description of probes refers to
// functions by symbols. Other objects cannot use the symbol of a static function, and another library may replace a
// global function of a library. For both kinds of functions, an additional symbol of hidden visibility is defined.

namespace {

struct Function {
    std::size_t section = 0;
    uint64_t start = 0, size = 0;
    std::string name;
    unsigned binding = STB_LOCAL;
    uint8_t type = STT_FUNC;
};

class ObjectFile {
public:
    ObjectFile(Elf* elf, std::string key, Questions questions) : elf_(elf), key_(std::move(key)), questions_(questions)
    {
    }

    Result<CallSites> take()
    {
        if (const Result<void> usable = check(); !usable)
            return usable.error();
        if (is_intermediate())
            return CallSites{{}, true};
        if (const Result<void> read = read_symbols(); !read)
            return read.error();
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) && header.sh_type == SHT_RELA && header.sh_link == elf_ndxscn(symbols_))
                if (const Result<void> taken = take_from(section, header); !taken)
                    return taken.error();
        }
        if (!new_symbols_.empty())
            add_symbols();
        return CallSites{std::move(sites_), false};
    }

    bool changed() const { return changed_; }

private:
    Result<void> check()
    {
        GElf_Ehdr header;
        if (elf_kind(elf_) != ELF_K_ELF || !gelf_getehdr(elf_, &header) || header.e_type != ET_REL)
            return Error{"not an object file"};
        for (const machine::Machine* each : machine::all())
            if (header.e_ident[EI_CLASS] == ELFCLASS64 && header.e_machine == each->elf)
                machine_ = each;
        if (!machine_)
            return Error{"an object file for another machine: " + std::string(machine::native().words) + " is needed"};
        return {};
    }

    /// Returns whether GCC made this object for link-time optimization, so that it contains intermediate code, with or
    /// without machine code. The linker creates new machine code for such an object.
    bool is_intermediate()
    {
        std::size_t names = 0;
        elf_getshdrstrndx(elf_, &names);
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
            GElf_Shdr header;
            const char* const name = gelf_getshdr(section, &header) ? elf_strptr(elf_, names, header.sh_name) : nullptr;
            if (name && std::string_view(name).starts_with(".gnu.lto_"))
                return true;
        }
        return false;
    }

    Result<void> read_symbols()
    {
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf_, section));) {
            GElf_Shdr header;
            if (gelf_getshdr(section, &header) && header.sh_type == SHT_SYMTAB) {
                symbols_ = section;
                strings_ = header.sh_link;
            }
        }
        Elf_Data* const data = symbols_ ? elf_getdata(symbols_, nullptr) : nullptr;
        if (!data)
            return Error{"it has no symbols"};
        GElf_Sym symbol;
        for (int i = 0; gelf_getsym(data, i, &symbol); ++i) {
            const char* const name = elf_strptr(elf_, strings_, symbol.st_name);
            const bool is_code = GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_shndx != SHN_UNDEF &&
                                 symbol.st_shndx < SHN_LORESERVE;
            if (name && is_code)
                functions_.push_back({symbol.st_shndx, symbol.st_value, symbol.st_size, name,
                                      static_cast<unsigned>(GELF_ST_BIND(symbol.st_info))});
        }
        return {};
    }

    Result<void> take_from(Elf_Scn* relocations, const GElf_Shdr& header)
    {
        Elf_Data* const entries = elf_getdata(relocations, nullptr);
        Elf_Data* const symbols = elf_getdata(symbols_, nullptr);
        Elf_Scn* const target = elf_getscn(elf_, header.sh_info);
        GElf_Shdr target_header;
        GElf_Rela entry;
        for (int i = 0; entries && gelf_getrela(entries, i, &entry); ++i) {
            GElf_Sym symbol;
            const int index = static_cast<int>(GELF_R_SYM(entry.r_info));
            if (index == 0 || !gelf_getsym(symbols, index, &symbol) || symbol.st_shndx != SHN_UNDEF)
                continue;
            const char* const text = elf_strptr(elf_, strings_, symbol.st_name);
            const auto name = read_site_name(text ? text : "");
            if (!name)
                continue;
            if (!target || !gelf_getshdr(target, &target_header) || !(target_header.sh_flags & SHF_EXECINSTR))
                return Error{std::string("the address of ") + text + " is taken, but a probe is not a function"};
            if (stays(*name, entry)) {
                const Function* const function = function_at(header.sh_info, entry.r_offset);
                sites_.push_back({*name, false, function ? function->name : "", "", 0, machine_});
                continue;
            }
            const auto site = replace(target, entry);
            if (!site)
                return Error{std::string(text) + " is used without a call, but a probe can only be called"};
            if (const Result<void> added = add_site(*name, header.sh_info, *site); !added)
                return added.error();
            if (GELF_R_TYPE(entry.r_info) != machine_->relocations.none) {
                entry.r_info = GELF_R_INFO(static_cast<uint64_t>(index), machine_->relocations.none);
                // The symbol is weak, because the function is never defined.
                symbol.st_info = GELF_ST_INFO(STB_WEAK, STT_NOTYPE);
                gelf_update_rela(entries, i, &entry);
                gelf_update_sym(symbols, index, &symbol);
                elf_flagdata(entries, ELF_C_SET, ELF_F_DIRTY);
                elf_flagdata(symbols, ELF_C_SET, ELF_F_DIRTY);
                changed_ = true;
            }
        }
        return {};
    }

    bool stays(const SiteName& name, const GElf_Rela& entry) const
    {
        return name.asks && questions_ == Questions::Stay && !machine_->question_function.code.empty() &&
               machine_->relocations.is_call(static_cast<uint32_t>(GELF_R_TYPE(entry.r_info)));
    }

    /// Replaces a call if it is not replaced yet, and returns its offset in the section. Returns nothing if the code
    /// there is not a call.
    std::optional<uint64_t> replace(Elf_Scn* section, const GElf_Rela& entry)
    {
        Elf_Data* const data = elf_getdata(section, nullptr);
        if (!data || !data->d_buf)
            return std::nullopt;
        const std::span<uint8_t> code{static_cast<uint8_t*>(data->d_buf), data->d_size};
        const bool before = GELF_R_TYPE(entry.r_info) == machine_->relocations.none;
        const bool is_site = before ? machine_->is_replaced_call(code, entry.r_offset)
                                    : machine_->relocations.is_call(static_cast<uint32_t>(GELF_R_TYPE(entry.r_info))) &&
                                          machine_->replace_call(code, entry.r_offset);
        if (!is_site)
            return std::nullopt;
        if (!before)
            elf_flagdata(data, ELF_C_SET, ELF_F_DIRTY);
        return entry.r_offset - machine_->site_before_target;
    }

    const Function* function_at(std::size_t section, uint64_t at) const
    {
        const auto found = std::find_if(functions_.begin(), functions_.end(), [&](const Function& f) {
            return f.section == section && at >= f.start && at - f.start < f.size && !f.name.starts_with(kLinkAlias);
        });
        return found == functions_.end() ? nullptr : &*found;
    }

    Result<void> add_site(const SiteName& name, std::size_t section, uint64_t at)
    {
        const Function* const found = function_at(section, at);
        if (!found)
            return Error{"the call of probe " + name.provider + ":::" + name.probe +
                         " is in code that belongs to no function symbol"};
        // the element is copied, because visible_name() may add to functions_ and thereby move its elements
        const Function function = *found;
        sites_.push_back({name, true, function.name, visible_name(function), at - function.start, machine_});
        return {};
    }

    /// Returns a symbol that refers to exactly this function, whatever the object is linked with. For a weak function
    /// it is the function's own symbol, because the linker may choose a definition in another object.
    std::string visible_name(const Function& function)
    {
        if (function.binding == STB_WEAK)
            return function.name;
        const std::string alias = "." + function.name;
        for (const Function& other : functions_)
            if (other.section == function.section && other.start == function.start &&
                other.name.starts_with(kLinkAlias) && other.name.ends_with(alias))
                return other.name;
        Function made = function;
        made.name = std::string(kLinkAlias) + key_ + alias;
        made.binding = STB_GLOBAL;
        functions_.push_back(made);
        new_symbols_.push_back(made);
        return made.name;
    }

    void add_symbols()
    {
        Elf_Scn* const strings = elf_getscn(elf_, strings_);
        GElf_Shdr header;
        gelf_getshdr(strings, &header);
        std::vector<GElf_Sym> made;
        for (const Function& function : new_symbols_) {
            GElf_Sym symbol{};
            symbol.st_name = static_cast<GElf_Word>(header.sh_size + names_.size());
            symbol.st_info = GELF_ST_INFO(STB_GLOBAL, STT_FUNC);
            symbol.st_other = STV_HIDDEN;
            symbol.st_shndx = static_cast<GElf_Section>(function.section);
            symbol.st_value = function.start;
            symbol.st_size = function.size;
            made.push_back(symbol);
            names_ += function.name + '\0';
        }
        append(strings, names_.data(), names_.size(), ELF_T_BYTE);
        // Conversion from GElf_Sym loses nothing, because GElf_Sym is Elf64_Sym.
        added_.assign(made.begin(), made.end());
        append(symbols_, added_.data(), added_.size() * sizeof(Elf64_Sym), ELF_T_SYM);
        changed_ = true;
    }

    static void append(Elf_Scn* section, void* bytes, std::size_t size, Elf_Type type)
    {
        Elf_Data* const data = elf_newdata(section);
        data->d_buf = bytes;
        data->d_size = size;
        data->d_type = type;
        data->d_version = EV_CURRENT;
        data->d_align = 1;
    }

    Elf* elf_;
    const machine::Machine* machine_ = nullptr;
    std::string key_; ///< part of the names of added symbols that differs between objects
    Questions questions_;
    Elf_Scn* symbols_ = nullptr;
    std::size_t strings_ = 0;
    std::vector<Function> functions_, new_symbols_;
    std::string names_;
    std::vector<Elf64_Sym> added_;
    std::vector<CallSite> sites_;
    bool changed_ = false;
};

/// Returns a hash of the file's bytes and name. It distinguishes static functions with equal names in two objects of a
/// program.
std::string key_of(const std::string& path, const std::vector<char>& bytes)
{
    uint64_t hash = 0xcbf29ce484222325; // the offset basis of the hash FNV-1a
    const auto mix = [&](char c) { hash = (hash ^ static_cast<uint8_t>(c)) * 0x100000001b3; };
    std::for_each(path.begin(), path.end(), mix);
    std::for_each(bytes.begin(), bytes.end(), mix);
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

/// A temporary file that replaces another file when it is complete.
class Replacement {
public:
    explicit Replacement(const std::string& path) : path_(path), name_(path + ".XXXXXX")
    {
        fd_ = mkstemp(name_.data());
    }
    ~Replacement()
    {
        if (fd_ >= 0)
            close(fd_);
        if (fd_ >= 0 && !done_)
            unlink(name_.c_str());
    }
    Replacement(const Replacement&) = delete;
    Replacement& operator=(const Replacement&) = delete;

    int fd() const { return fd_; }
    bool fill(const std::vector<char>& bytes, mode_t mode) const
    {
        for (std::size_t done = 0; done < bytes.size();) {
            const ssize_t written = write(fd_, bytes.data() + done, bytes.size() - done);
            if (written <= 0)
                return false;
            done += static_cast<std::size_t>(written);
        }
        return fchmod(fd_, mode & 07777) == 0;
    }
    bool take_place()
    {
        done_ = rename(name_.c_str(), path_.c_str()) == 0;
        return done_;
    }

private:
    std::string path_, name_;
    int fd_ = -1;
    bool done_ = false;
};

Result<std::vector<char>> read_file(const std::string& path, struct stat& status)
{
    const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (fd < 0 || fstat(fd, &status) != 0) {
        const int code = errno;
        if (fd >= 0)
            close(fd);
        return Error{std::strerror(code), code};
    }
    std::vector<char> bytes(static_cast<std::size_t>(status.st_size));
    const ssize_t got = S_ISREG(status.st_mode) ? ::read(fd, bytes.data(), bytes.size()) : -1;
    close(fd);
    if (got != static_cast<ssize_t>(bytes.size()))
        return Error{"cannot read it"};
    return bytes;
}

} // namespace

Result<CallSites> take_call_sites(const std::string& path, Questions questions)
{
    struct stat status {};
    const auto bytes = read_file(path, status);
    if (!bytes)
        return bytes.error();
    constexpr std::string_view kBitcode = "BC\xc0\xde"; // the first bytes of LLVM bitcode, which clang -flto makes
    if (std::string_view(bytes.value().data(), bytes.value().size()).starts_with(kBitcode))
        return CallSites{{}, true};
    Replacement replacement(path);
    if (replacement.fd() < 0 || !replacement.fill(bytes.value(), status.st_mode))
        return Error{std::string("cannot write: ") + std::strerror(errno), errno};
    elf_version(EV_CURRENT);
    Elf* const elf = elf_begin(replacement.fd(), ELF_C_RDWR, nullptr);
    if (!elf)
        return Error{std::string("not an object file: ") + elf_errmsg(-1)};
    ObjectFile object(elf, key_of(path, bytes.value()), questions);
    auto sites = object.take();
    const bool written = !sites || !object.changed() || elf_update(elf, ELF_C_WRITE) >= 0;
    const std::string problem = written ? "" : elf_errmsg(-1);
    elf_end(elf);
    if (!written)
        return Error{"cannot write: " + problem};
    if (sites && object.changed() && !replacement.take_place())
        return Error{std::string("cannot write: ") + std::strerror(errno), errno};
    return sites;
}

} // namespace dt::usdt
