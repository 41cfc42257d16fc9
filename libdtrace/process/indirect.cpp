// The dynamic linker, or a static program's beginning, calls the function and stores what it gives where a relocation
// of the file says. That word tells which one was chosen, once it is there: a command that is held before its first
// instruction may not have it yet, and a file whose own code does not call the function has no such word. Then a probe
// on each function that its code can choose is as good: only one of them is ever called.
#include "libdtrace/process/indirect.hpp"

#include <gelf.h>

#include <algorithm>

#include "base/packed_bytes.hpp"
#include "libdtrace/elf/debug_files.hpp"
#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/elf/foreign_files.hpp"
#include "machine/machine.hpp"

namespace dt {
namespace {

/// Where the file's relocations want the result of the function at this address.
std::vector<uint64_t> words_of_result(Elf* elf, uint64_t function)
{
    std::vector<uint64_t> words;
    for (Elf_Scn* section = nullptr; elf && (section = elf_nextscn(elf, section));) {
        GElf_Shdr header;
        if (!gelf_getshdr(section, &header) || header.sh_type != SHT_RELA || header.sh_entsize == 0)
            continue;
        Elf_Data* const data = elf_getdata(section, nullptr);
        const auto count = static_cast<int>(header.sh_size / header.sh_entsize);
        GElf_Rela entry;
        for (int i = 0; data && i < count && gelf_getrela(data, i, &entry); ++i)
            if (GELF_R_TYPE(entry.r_info) == machine::native().relocations.indirect &&
                static_cast<uint64_t>(entry.r_addend) == function)
                words.push_back(entry.r_offset);
    }
    return words;
}

/// A function's, or a mark's.
std::optional<uint64_t> find_mark(const std::string& path, std::string_view name)
{
    const ElfFile file(path);
    std::optional<uint64_t> address;
    const auto look = [&](Elf* elf) {
        for_each_symbol(elf, [&](const GElf_Sym& symbol, std::string_view text) {
            if (symbol.st_shndx != SHN_UNDEF && symbol.st_value != 0 && without_version(text) == name)
                address = symbol.st_value;
        });
    };
    if (file.get()) {
        look(file.get());
        visit_stripped_symbols(file.get(), path, look);
    }
    return address;
}

std::vector<uint64_t> words_told(ForeignFiles& files, const std::string& path, uint64_t function)
{
    PackedWriter request;
    request.text(path);
    request.number(function);
    const ReadFunction read = [](ReaderState&, std::string_view text) {
        PackedReader asked(text);
        const std::string file(asked.text());
        PackedWriter answer;
        answer.array(std::span<const uint64_t>(words_of_result(ElfFile(file).get(), asked.number())));
        return answer.take();
    };
    const Result<std::string> answer = files.read(path, read, request.take());
    return answer ? PackedReader(answer.value()).array<uint64_t>() : std::vector<uint64_t>();
}

} // namespace

std::optional<uint64_t> address_of_mark(ForeignFiles& files, const std::string& path, std::string_view name)
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

std::vector<uint64_t> serving_functions(ForeignFiles& files, const std::string& file, const ElfSymbols& symbols,
                                        const ElfSymbols::Symbol& indirect, std::span<const uint8_t> code,
                                        const std::function<std::optional<uint64_t>(uint64_t address)>& word)
{
    std::vector<uint64_t> functions;
    const auto take = [&](uint64_t address) {
        const bool is_own = address - indirect.start < std::max<uint64_t>(indirect.size, 1);
        const ElfSymbols::Symbol* const symbol = symbols.find(address); // none in a stripped file
        if (!is_own && symbols.code_offset(address) && (!symbol || (symbol->start == address && symbol->is_function)))
            functions.push_back(address);
    };
    const machine::Choices choices = machine::native().choices_in(code, indirect.start);
    std::for_each(choices.addresses.begin(), choices.addresses.end(), take);
    for (const uint64_t at : choices.words)
        if (const auto address = word(at))
            take(*address);
    std::sort(functions.begin(), functions.end());
    functions.erase(std::unique(functions.begin(), functions.end()), functions.end());
    for (const uint64_t at : words_told(files, file, indirect.start))
        if (const auto address = word(at); address && std::binary_search(functions.begin(), functions.end(), *address))
            return {*address};
    // A choice needs two: time() has one in its file and one in the kernel's vdso, which nobody sees here.
    return functions.size() > 1 ? functions : std::vector<uint64_t>();
}

} // namespace dt
