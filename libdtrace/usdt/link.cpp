// Writes -G's output.
//
// The description is DOF in its own section. It refers to each function that has sites; the linker, or the loader in a
// position-independent program, fills in the address, so the section is writable. The linker must keep it although
// nothing refers to it.
//
// A build may pass no objects to -G, or objects whose code is generated at link time (-flto). Calls of probes then
// cannot be replaced. Instead the file defines the called functions: each is a no-op and a return, and the probe is
// attached to the no-op.
//
// Calls that query whether a probe is enabled remain calls. The file defines their functions: each reads a 16-bit
// counter, which the kernel increments in every process while the probe is attached, like SystemTap's semaphores. A
// note (notes.hpp) has the counters' addresses.
#include "libdtrace/usdt/link.hpp"

#include <elf.h>

#include <algorithm>
#include <map>

#include "dcompiler/sema/probe_names.hpp"
#include "libdtrace/usdt/dof.hpp"
#include "libdtrace/usdt/notes.hpp"
#include "libdtrace/usdt/object_writer.hpp"
#include "machine/machine.hpp"

namespace dt::usdt {
namespace {

constexpr std::size_t kMostSites = 65535; // limit of sites per probe and function: the format has 16-bit counts

/// A provider's probes by function.
struct Described {
    std::vector<DofProbe> probes;
    std::vector<std::string> symbols; ///< symbols of the functions of probes[i]
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
    std::map<std::pair<std::string, std::string>, std::size_t> places; // indexes in result.probes by symbol and probe
    for (const CallSite& site : sites) {
        if (site.name.provider != provider.name)
            continue;
        const DefinedProbe* const defined = probe_of(provider, site.name.probe);
        if (!defined)
            return Error{"undefined probe " + site.name.probe + " for probe provider " + provider.name + " (function " +
                         site.function + (site.name.asks ? " asks for it)" : " fires it)")};
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
        (site.name.asks ? probe.asking : probe.sites).push_back(site.offset);
        if (probe.sites.size() > kMostSites || probe.asking.size() > kMostSites)
            return Error{"too many sites of " + provider.name + ":::" + defined->name + " in function " +
                         site.function};
    }
    return result;
}

/// Describes a function for each probe of the provider, for programs whose objects -G does not see. Their calls remain
/// and lead here.
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

/// Returns whether a remaining call queries whether the probe is enabled.
bool is_asked_for(const DefinedProvider& provider, const DefinedProbe& probe, const std::vector<CallSite>& sites)
{
    return std::any_of(sites.begin(), sites.end(), [&](const CallSite& site) {
        return !site.is_replaced && site.name.provider == provider.name && site.name.probe == probe.name;
    });
}

/// Makes unwind information for code that does not use the stack: one range that begins at the relocation's symbol.
std::vector<uint8_t> frame_description(const machine::Machine& machine, std::size_t code_size, uint64_t& range_at)
{
    constexpr uint8_t kDefineCfa = 0x0c, kSavedAt = 0x80, kRelative32 = 0x1b, kMinusEight = 0x78;
    const auto stack = static_cast<uint8_t>(machine.unwind.stack_pointer);
    const auto address = static_cast<uint8_t>(machine.unwind.return_address);
    const auto word = static_cast<uint8_t>(machine.unwind.is_linked ? 0 : machine.unwind.word);
    constexpr uint8_t kFirst = 20, kSecond = 20; // sizes that follow the length fields
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

/// The output: the description, the functions it may need, and their relocations.
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

    /// Defines the functions that functions() describes.
    void define(const std::vector<std::string>& symbols)
    {
        for (const std::string& symbol : symbols)
            add_function(symbol, machine_.idle_function);
    }

    /// Defines the function that returns whether a probe is enabled, and its counter. Returns the function's symbol.
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
            for (const auto& [name, at, size] : functions_) // weak, because two objects of a program may define them
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
    static constexpr char kCounterSection[] =
        ".data.dtrace_counters"; // not .bss, because the kernel needs it in the file
    static constexpr std::string_view kCounterPrefix = "__dtrace_counter_";
    static constexpr std::size_t kCodeAlignment = 4;
    const machine::Machine& machine_;
    std::vector<uint8_t> dof_, code_, notes_;
    std::vector<ObjectWriter::Relocation> relocations_, code_references_, notes_references_;
    std::vector<Function> functions_;
    std::vector<std::string> counters_; ///< their symbols
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
            return Error{object + ": an object file for another machine than those before it"};
        all.sites.insert(all.sites.end(), sites.begin(), sites.end());
    }
    return all;
}

Result<std::vector<uint8_t>> describe_probes(const std::vector<const DefinedProvider*>& providers,
                                             const std::vector<CallSite>& sites, bool define_functions, LinkedForm form)
{
    const machine::Machine& machine = sites.empty() ? machine::native() : *sites.front().machine;
    if (define_functions && machine.idle_function.empty())
        return Error{"the objects that fire the probes are needed for " + std::string(machine.words)};
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
                probes->probes.push_back({provider->name,
                                          probe.name,
                                          function,
                                          {},
                                          {0},
                                          probe.declared,
                                          texts(probe.output),
                                          probe.mapping}); // the tracer itself uses the counter's note; other DTrace
                                                           // implementations use this entry
                probes->symbols.push_back(function);
            }
        if (!probes->probes.empty())
            object.add(make_dof(*provider, probes->probes), probes->symbols);
    }
    if (object.dof().empty() && !define_functions)
        return Error{"No probe sites found for declared provider"};
    return form == LinkedForm::Dof ? object.dof() : object.write();
}

} // namespace dt::usdt
