// The dynamic linker, or a static program's beginning, calls the function and stores what it gives where a relocation
// of the file says. That word tells which one was chosen, once it is there: a command that is held before its first
// instruction may not have it yet, and a file whose own code does not call the function has no such word. Then a probe
// on each function that its code can choose is as good: only one of them is ever called.
#include "libdtrace/process/indirect.hpp"

#include <gelf.h>

#include <algorithm>

#include "libdtrace/elf/elf_file.hpp"
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

} // namespace

std::vector<uint64_t> serving_functions(const std::string& file, const ElfSymbols& symbols,
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
    for (const uint64_t at : words_of_result(ElfFile(file).get(), indirect.start))
        if (const auto address = word(at); address && std::binary_search(functions.begin(), functions.end(), *address))
            return {*address};
    // A choice needs two: time() has one in its file and one in the kernel's vdso, which nobody sees here.
    return functions.size() > 1 ? functions : std::vector<uint64_t>();
}

} // namespace dt
