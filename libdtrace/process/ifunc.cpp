// Finds the functions that an IFUNC resolver chose.
//
// The dynamic linker, or the startup code of a static program, calls the resolver and stores the returned address in
// words of data. The addresses of these words are in relocations. An IRELATIVE relocation contains the address of the
// resolver and is in the same file as the resolver. All other relocations contain the name of the indirect function and
// may be in any file of the process. After the call, the word contains the address of the chosen function.
//
// In three cases, no word contains the address of the chosen function yet: a static program has not started, no process
// runs the file, or nothing has called the library's function yet. Then all functions that the resolver's code can
// choose get probes; the process calls only one of them.
#include "libdtrace/process/ifunc.hpp"

#include <gelf.h>
#include <sys/uio.h>

#include <algorithm>
#include <span>
#include <unordered_map>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "libdtrace/stacks/unwind_rows.hpp"
#include "machine/machine.hpp"

namespace dt {

/// Result of scanning one file's relocations: the words that contain addresses of functions chosen by IFUNC resolvers,
/// and the entries of the procedure linkage table. The resolvers may be in the same file or in another one.
struct IndirectFunctions::Words {
    struct Word {
        /// Link-time address of the resolver, and link-time address of the word for the address that it returns.
        uint64_t function = 0, at = 0;
    };
    struct Range {
        uint64_t start = 0, end = 0;
    };
    uint64_t lowest = 0; ///< link-time address of the file's first mapped byte
    std::vector<Word> words;
    std::vector<Range> stubs; ///< address ranges of the entries of the procedure linkage table, which are stubs

    bool is_stub(uint64_t address) const
    {
        return std::any_of(stubs.begin(), stubs.end(),
                           [&](const Range& stub) { return address >= stub.start && address < stub.end; });
    }
};

namespace {

using Names = std::unordered_map<std::string_view, uint64_t>;

/// Calls visit(relocation, section header) for each relocation that has an addend (SHT_RELA) and is evaluated by a
/// program loader.
template <typename Visit> void for_each_relocation(Elf* elf, const Visit& visit)
{
    for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0 ||
            !(header.sh_flags & SHF_ALLOC))
            continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
        GElf_Rela entry;
        for (int i = 0; data && i < count && gelf_getrela(data, i, &entry); ++i)
            visit(entry, header);
    }
}

std::string_view symbol_name(Elf* elf, const GElf_Shdr& relocations, const GElf_Rela& entry)
{
    Elf_Scn* const section = elf_getscn(elf, relocations.sh_link);
    GElf_Shdr header;
    Elf_Data* const data = section && gelf_getshdr(section, &header) ? elf_getdata(section, nullptr) : nullptr;
    GElf_Sym symbol;
    if (!data || !gelf_getsym(data, static_cast<int>(GELF_R_SYM(entry.r_info)), &symbol))
        return {};
    const char* const name = elf_strptr(elf, header.sh_link, symbol.st_name);
    return name ? std::string_view(name, strnlen(name, kLongestName)) : std::string_view();
}

/// Runs in a sandboxed reader. Scans the relocations of a file that calls indirect functions (IFUNC). `is_own`: the
/// resolvers of these functions are in this file too. `offset` is the file offset of the file's first mapped byte.
template <typename Words> Words find_words(Elf* elf, uint64_t offset, const Names& names, bool is_own)
{
    Words found;
    std::size_t headers = 0, strings = 0;
    elf_getphdrnum(elf, &headers);
    GElf_Phdr segment;
    for (std::size_t i = 0; i < headers; ++i)
        if (gelf_getphdr(elf, static_cast<int>(i), &segment) && segment.p_type == PT_LOAD &&
            offset - segment.p_offset < segment.p_filesz)
            found.lowest = segment.p_vaddr + (offset - segment.p_offset);
    for_each_relocation(elf, [&](const GElf_Rela& entry, const GElf_Shdr& header) {
        if (GELF_R_TYPE(entry.r_info) == machine::native().relocations.indirect) {
            if (is_own)
                found.words.push_back({static_cast<uint64_t>(entry.r_addend), entry.r_offset});
        } else if (GELF_R_SYM(entry.r_info) != 0) {
            const auto known = names.find(without_version(symbol_name(elf, header, entry)));
            if (known != names.end())
                found.words.push_back({known->second, entry.r_offset});
        }
    });
    elf_getshdrstrndx(elf, &strings);
    for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        const char* const name = gelf_getshdr(section, &header) ? elf_strptr(elf, strings, header.sh_name) : nullptr;
        if (name && (std::string_view(name).starts_with(".plt") || std::string_view(name).starts_with(".iplt")))
            found.stubs.push_back({header.sh_addr, header.sh_addr + header.sh_size});
    }
    return found;
}

template <typename Words> std::string serialize_words(ReaderState&, std::string_view request)
{
    PackedReader asked(request);
    const std::string path(asked.text());
    const uint64_t offset = asked.number();
    const bool is_own = asked.number() != 0;
    Names names;
    for (std::size_t left = asked.count(2); left > 0; --left) {
        const std::string_view name = asked.text();
        names.emplace(name, asked.number());
    }
    const ElfFile file(path);
    const Words found = file.get() ? find_words<Words>(file.get(), offset, names, is_own) : Words();
    PackedWriter answer;
    answer.number(found.lowest);
    answer.array(std::span(found.words));
    answer.array(std::span(found.stubs));
    return answer.take();
}

std::string serialize_size(ReaderState&, std::string_view request)
{
    PackedReader asked(request);
    const std::string path(asked.text());
    const ElfFile file(path);
    PackedWriter answer;
    answer.number(file.get() ? unwound_size(file.get(), asked.number()) : 0);
    return answer.take();
}

/// Returns the link-time address of a symbol of any type.
std::optional<uint64_t> find_mark(const std::string& path, std::string_view name)
{
    const ElfFile file(path);
    std::optional<uint64_t> address;
    const auto search = [&](Elf* elf) {
        for_each_symbol(elf, [&](const GElf_Sym& symbol, std::string_view text) {
            if (symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && without_version(text) == name)
                address = symbol.st_value;
        });
    };
    if (file.get()) {
        search(file.get());
        visit_stripped_symbols(file.get(), path, search);
    }
    return address;
}

} // namespace

IndirectFunctions::IndirectFunctions(std::shared_ptr<UntrustedFiles> untrusted) : untrusted_(std::move(untrusted)) {}

IndirectFunctions::~IndirectFunctions() = default;

void IndirectFunctions::look_at(int64_t pid, const std::vector<Object>& objects)
{
    const bool is_same =
        std::equal(objects.begin(), objects.end(), objects_.begin(), objects_.end(), [](const auto& a, const auto& b) {
            return a.file == b.file && a.path == b.path && a.start == b.start && a.offset == b.offset;
        });
    if (pid != pid_ || !is_same)
        words_.clear();
    pid_ = pid;
    objects_ = objects;
}

/// Returns the words of the file `user` that contain addresses of functions chosen by the resolvers in `object`. Sends
/// one request to the reader.
const IndirectFunctions::Words& IndirectFunctions::words_of(const Object& object, const ElfSymbols& symbols,
                                                            const Object& user)
{
    const auto [known, is_new] = words_.try_emplace({object.file, user.file});
    Words& words = known->second;
    if (!is_new)
        return words;
    std::vector<const ElfSymbols::Symbol*> indirect;
    for (const auto* const table : {&symbols.all(), &symbols.aliases()})
        for (const ElfSymbols::Symbol& symbol : *table)
            if (symbol.is_ifunc)
                indirect.push_back(&symbol);
    PackedWriter request;
    request.text(user.file);
    request.number(user.offset);
    request.number(user.file == object.file ? 1 : 0);
    request.number(indirect.size());
    for (const ElfSymbols::Symbol* const symbol : indirect) {
        request.text(symbol->name);
        request.number(symbol->start);
    }
    const Result<std::string> reply = untrusted_->read(user.file, serialize_words<Words>, request.bytes());
    if (!reply)
        return words;
    PackedReader answer(reply.value());
    words.lowest = answer.number();
    words.words = answer.array<Words::Word>();
    words.stubs = answer.array<Words::Range>();
    return words;
}

std::optional<uint64_t> IndirectFunctions::read_word(uint64_t address) const
{
    uint64_t value = 0;
    const iovec here{&value, sizeof value},
        there{reinterpret_cast<void*>(address), sizeof value}; // NOLINT(performance-no-int-to-ptr)
    const bool is_read = process_vm_readv(static_cast<pid_t>(pid_), &here, 1, &there, 1, 0) == sizeof value;
    return is_read ? std::optional(value) : std::nullopt;
}

/// Returns whether the address can be the start of a function that the resolver chose. If the file has symbols, a
/// function's symbol must start there.
static bool may_serve(const ElfSymbols& symbols, const ElfSymbols::Symbol& indirect, uint64_t address)
{
    const bool is_own = address - indirect.start < std::max<uint64_t>(indirect.size, 1);
    // Symbol whose function contains the address; null if the file has no symbols.
    const ElfSymbols::Symbol* const symbol = symbols.find(address);
    return !is_own && symbols.code_offset(address) &&
           (!symbol || (symbol->start == address && symbol->is_function && !symbol->is_ifunc));
}

/// Returns the functions that the resolver has chosen in this process, as link-time addresses of the object. Reads them
/// from the words to which the relocations refer. Ignores words to which no resolver's result was written yet: these
/// contain the address of a stub or an address outside of the object's code.
std::vector<uint64_t> IndirectFunctions::results(const Object& object, const ElfSymbols& symbols,
                                                 const ElfSymbols::Symbol& indirect)
{
    std::vector<uint64_t> found;
    if (pid_ == 0)
        return found;
    const Words& own = words_of(object, symbols, object);
    for (const Object& user : objects_) {
        const Words& words = words_of(object, symbols, user);
        for (const Words::Word& word : words.words) {
            const auto value =
                word.function == indirect.start ? read_word(word.at + user.start - words.lowest) : std::nullopt;
            const uint64_t address = value.value_or(0) - object.start + own.lowest;
            if (value && !own.is_stub(address) && may_serve(symbols, indirect, address))
                found.push_back(address);
        }
    }
    return found;
}

/// Returns the functions that the resolver can choose, found in its code. If it finds fewer than two, and the
/// resolver's code calls another function, also searches that function's code.
std::vector<uint64_t> IndirectFunctions::candidates(const Object& object, const ElfSymbols& symbols,
                                                    const ElfSymbols::Symbol& indirect, const ReadCode& code) const
{
    constexpr std::size_t kLongestChooser = 4096;
    const uint64_t lowest = symbols.address_of_offset(object.offset);
    std::vector<uint64_t> found;
    const auto take = [&](uint64_t address) {
        if (may_serve(symbols, indirect, address))
            found.push_back(address);
    };
    const auto take_from = [&](const ElfSymbols::Symbol& chooser) {
        const std::size_t size = std::min<std::size_t>(chooser.size, kLongestChooser);
        const machine::Choices choices = machine::native().choices_in(code(chooser.start, size), chooser.start);
        std::for_each(choices.addresses.begin(), choices.addresses.end(), take);
        for (const uint64_t at : choices.words)
            if (const auto value = pid_ == 0 ? std::nullopt : read_word(at + object.start - lowest))
                take(*value - object.start + lowest);
        std::sort(found.begin(), found.end());
        found.erase(std::unique(found.begin(), found.end()), found.end());
        return choices.called;
    };
    for (const uint64_t called : take_from(indirect))
        if (const ElfSymbols::Symbol* const chooser = symbols.find(called);
            found.size() < 2 && chooser && chooser->start == called)
            take_from(*chooser);
    // The search of the resolver's code may find only one function although the process runs another one. For example,
    // time() has two implementations, and the one in the kernel's vdso cannot be found in this file.
    return found.size() > 1 ? found : std::vector<uint64_t>();
}

ElfSymbols::Symbol IndirectFunctions::described(const Object& object, const ElfSymbols& symbols, uint64_t address)
{
    if (const ElfSymbols::Symbol* const named = symbols.find(address))
        return *named;
    PackedWriter request;
    request.text(object.file);
    request.number(address);
    const Result<std::string> reply = untrusted_->read(object.file, serialize_size, request.bytes());
    const uint64_t size = reply ? PackedReader(reply.value()).number() : 0;
    return {address, size, {}, true};
}

IndirectFunctions::Serving IndirectFunctions::serving(const Object& object, const ElfSymbols& symbols,
                                                      const ElfSymbols::Symbol& indirect, const ReadCode& code)
{
    Serving serving;
    std::vector<uint64_t> addresses = results(object, symbols, indirect);
    serving.is_chosen = !addresses.empty();
    if (!serving.is_chosen)
        addresses = candidates(object, symbols, indirect, code);
    std::sort(addresses.begin(), addresses.end());
    addresses.erase(std::unique(addresses.begin(), addresses.end()), addresses.end());
    for (const uint64_t address : addresses)
        serving.functions.push_back(described(object, symbols, address));
    return serving;
}

std::optional<uint64_t> address_of_mark(UntrustedFiles& files, const std::string& path, std::string_view name)
{
    PackedWriter request;
    request.text(path);
    request.text(name);
    const ReadFunction read = [](ReaderState&, std::string_view text) {
        PackedReader asked(text);
        const std::string file(asked.text());
        const auto found = find_mark(file, asked.text());
        PackedWriter answer;
        answer.number(found.value_or(0));
        return answer.take();
    };
    const Result<std::string> answer = files.read(path, read, request.take());
    const uint64_t address = answer ? PackedReader(answer.value()).number() : 0;
    return address != 0 ? std::optional(address) : std::nullopt;
}

} // namespace dt
