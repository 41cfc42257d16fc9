// Read access to a file that may contain an interpreter: symbols, initial data, and the code ranges of functions. The
// file belongs to a traced program, so this code runs in a sandboxed reader.
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
    /// Returns a defined symbol of .symtab or .dynsym, with its link-time address, or nothing if there is none.
    std::optional<Symbol> symbol(std::string_view name);
    /// Returns the alphabetically first defined symbol whose name starts with `prefix`, or nothing if there is none.
    std::optional<Symbol> symbol_starting(std::string_view prefix);
    /// Returns the bytes that the file contains for a link-time address; empty if the file does not contain all of
    /// them. Valid as long as this object exists.
    std::span<const uint8_t> bytes(uint64_t address, uint64_t size);
    /// Returns the 8-byte number that the file contains for a link-time address, or nothing.
    std::optional<uint64_t> number(uint64_t address);
    /// Returns the link-time address to which the pointer at a link-time address will point after relocation, or
    /// nothing.
    std::optional<uint64_t> pointer(uint64_t address);
    /// Returns the text at a link-time address, up to its zero byte. Returns an empty text if it is longer than 128
    /// bytes.
    std::string text(uint64_t address);
    /// Returns the text that follows the first occurrence of `prefix` in the file's segments, up to a zero byte but at
    /// most 64 bytes. Returns an empty text if `prefix` does not occur.
    std::string text_with(std::string_view prefix);
    /// Returns the address ranges of a function's code. Compilers move rarely used code to a second part, which has no
    /// symbol in a stripped file. This part is found because the function jumps to it and .eh_frame_hdr lists it as a
    /// function.
    std::vector<dt_address_range> parts_of(const Symbol& function);

    bool has_thread_local(std::string_view name);
    /// Returns the offset of an executable's thread-local variable from the thread pointer. Returns nothing if the file
    /// is a library or has no such variable.
    std::optional<uint64_t> thread_local_distance(std::string_view name);
    /// A library's code finds its thread-local variable by two words: the number of the module, and the variable's
    /// offset in the module. Returns the address of these words, or nothing if the file has no such words.
    std::optional<uint64_t> thread_local_words(std::string_view name);

    /// Returns whether the dynamic linker stores the two words of a thread-local variable (module number and offset) at
    /// this address.
    bool has_thread_local_words(uint64_t address);

    /// Returns the function that contains the most labels. A label is an address inside a function that occurs in the
    /// file's data. An interpreter's loop has a label for each operation. Returns nothing if no function has at least
    /// `fewest` labels.
    std::optional<Symbol> function_with_labels(std::size_t fewest);

    /// Returns the largest address range between two adjacent functions in .eh_frame_hdr, the file's list of functions.
    /// Returns an empty range if the list is missing or has an unusual encoding. The range may be code without unwind
    /// tables, such as V8's builtins.
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
    /// values of pointers after relocation, by the pointer's address
    std::optional<std::unordered_map<uint64_t, uint64_t>> pointers_;
};

} // namespace dt
