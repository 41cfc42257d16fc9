// Read access to the file of an interpreter, for the descriptions of runtimes: symbols, initial data, parts of
// functions. The file belongs to a traced program, so this code runs in a sandboxed reader.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "bpf-runtime/interpreter_abi.h"
#include "libdtrace/elf/elf_file.hpp"

namespace dt {

class RuntimeImage {
public:
    struct Symbol {
        uint64_t address = 0, size = 0;
    };

    explicit RuntimeImage(const std::string& path) : file_(path) {}

    /// Returns whether the file is a 64-bit ELF file.
    bool is_found() const;
    /// Returns a defined symbol of .symtab or .dynsym, or nothing. Addresses are link-time.
    std::optional<Symbol> symbol(std::string_view name);
    /// Returns the first defined symbol, in the order of names, whose name starts with `prefix`, or nothing.
    std::optional<Symbol> symbol_starting(std::string_view prefix);
    /// Returns the initial bytes at a link-time address; empty if not all of them are in the file. Valid while this
    /// object exists.
    std::span<const uint8_t> bytes(uint64_t address, uint64_t size);
    /// Returns the initial number at a link-time address, or nothing.
    std::optional<uint64_t> number(uint64_t address);
    /// Returns the pointer at a link-time address as it is after relocation, but as a link-time address, or nothing.
    std::optional<uint64_t> pointer(uint64_t address);
    /// Returns the text at a link-time address, up to a zero byte; empty if it is longer than 128 bytes.
    std::string text(uint64_t address);
    /// Returns the text after the first occurrence of `prefix` in the initial data, up to a zero byte and at most 64
    /// bytes; empty if there is none.
    std::string text_with(std::string_view prefix);
    /// Returns the address ranges of a function's code. Compilers move rarely used code to a second part, which has no
    /// symbol in a stripped file. That part is found by the function's jumps to it and the file's list of functions
    /// (.eh_frame_hdr).
    std::vector<dt_address_range> parts_of(const Symbol& function);

    bool has_thread_local(std::string_view name);
    /// Returns the distance of a thread-local variable of an executable from the thread's base, or nothing if the file
    /// is a library, or has no such variable.
    std::optional<uint64_t> thread_local_distance(std::string_view name);
    /// Returns the address of two words, the number of the module and the offset in it, that lead to a thread-local
    /// variable of a library; nothing if the file has no such words.
    std::optional<uint64_t> thread_local_words(std::string_view name);

    /// Returns whether the dynamic linker writes the two words of thread_local_words() at this address.
    bool has_thread_local_words(uint64_t address);

    /// Returns the function with the largest number of addresses inside of it in the file's data, which are those of
    /// labels; nothing if no function has at least `fewest`. The loop of an interpreter has one for each operation.
    std::optional<Symbol> function_with_labels(std::size_t fewest);

    /// Returns the largest range of addresses between functions in the file's list of functions (.eh_frame_hdr); empty
    /// if there is no usual list.
    dt_address_range largest_undescribed_code();

private:
    struct Listed {
        uint64_t start = 0, entry = 0;
    };

    void read_symbols();
    std::optional<GElf_Phdr> segment(uint32_t type);
    std::optional<uint64_t> thread_local_offset(std::string_view name);
    std::vector<Listed> listed_functions();
    std::vector<uint64_t> function_starts();
    uint64_t size_of(const Listed& function);
    std::vector<Elf64_Rela> relocations(uint32_t type);

    ElfFile file_;
    std::map<std::string, Symbol, std::less<>> symbols_;
    bool has_symbols_ = false;
    std::optional<std::unordered_map<uint64_t, uint64_t>> pointers_; ///< relocated pointers, by their address
};

} // namespace dt
