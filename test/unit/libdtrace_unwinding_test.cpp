// Tests how the tracer recognizes from the files of a process that it may unwind its own stack or switch between
// stacks.
#include <gtest/gtest.h>

#include <elf.h>

#include <fstream>
#include <string>
#include <vector>

#include "libdtrace/process/process_functions.hpp"
#include "libdtrace/sandbox/untrusted_files.hpp"
#include "test/support/elf_header.hpp"
#include "test/support/temporary_folder.hpp"

namespace dt {
namespace {

struct NamedSymbol {
    std::string name;
    bool is_defined = false;
};

/// Creates an ELF file that contains only symbols: header, names, symbols, and three section headers.
std::string elf_with(const std::vector<NamedSymbol>& wanted)
{
    std::string names(1, '\0');
    std::vector<Elf64_Sym> symbols(1);
    for (const NamedSymbol& each : wanted) {
        Elf64_Sym symbol{};
        symbol.st_name = static_cast<Elf64_Word>(names.size());
        symbol.st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC);
        symbol.st_shndx = each.is_defined ? SHN_ABS : SHN_UNDEF;
        symbols.push_back(symbol);
        names += each.name + '\0';
    }
    names.resize((names.size() + 7) / 8 * 8);
    const std::size_t bytes = symbols.size() * sizeof(Elf64_Sym);
    const Elf64_Ehdr header = test::elf_header(EM_X86_64, sizeof header + names.size() + bytes, 3, 1);
    Elf64_Shdr sections[3]{};
    sections[1].sh_type = SHT_STRTAB;
    sections[1].sh_offset = sizeof header;
    sections[1].sh_size = names.size();
    sections[2].sh_type = SHT_SYMTAB;
    sections[2].sh_offset = sizeof header + names.size();
    sections[2].sh_size = bytes;
    sections[2].sh_link = 1;
    sections[2].sh_entsize = sizeof(Elf64_Sym);
    const auto text = [](const void* from, std::size_t size) {
        return std::string(static_cast<const char*>(from), size);
    };
    return text(&header, sizeof header) + names + text(symbols.data(), bytes) + text(sections, sizeof sections);
}

class UnwindingTest : public testing::Test {
protected:
    bool may(const std::vector<NamedSymbol>& symbols)
    {
        const std::string path = folder_.path() + "/file";
        std::ofstream(path) << elf_with(symbols);
        return may_unwind(*files_, path);
    }

    test::TemporaryFolder folder_;
    std::shared_ptr<UntrustedFiles> files_ = UntrustedFiles::make();
};

TEST_F(UnwindingTest, CallersOfUnwindersExceptTheCLibraryAreDetected)
{
    EXPECT_FALSE(may({{"main", true}, {"printf"}}));
    EXPECT_TRUE(may({{"main", true}, {"__cxa_throw"}}));
    EXPECT_TRUE(may({{"main", true}, {"pthread_cancel"}}));
    EXPECT_FALSE(may({{"printf", true}, {"pthread_cancel", true}, {"makecontext", true}}));
}

TEST_F(UnwindingTest, ProgramsThatSwitchStacksAreDetected)
{
    EXPECT_TRUE(may({{"main", true}, {"makecontext"}}));
}

TEST_F(UnwindingTest, OpenSslIsDetectedOnlyInCallersOfItsAsynchronousJobs)
{
    // This file is libcrypto, which calls makecontext() only in its own function ASYNC_start_job().
    EXPECT_FALSE(may({{"ASYNC_start_job", true}, {"makecontext"}}));
    // This file is libssl, which calls ASYNC_start_job() only for programs that use asynchronous jobs.
    EXPECT_FALSE(may({{"SSL_waiting_for_async", true}, {"ASYNC_start_job"}}));
    EXPECT_FALSE(may({{"main", true}, {"SSL_read"}}));
    EXPECT_TRUE(may({{"main", true}, {"SSL_read"}, {"SSL_waiting_for_async"}}));
    EXPECT_TRUE(may({{"main", true}, {"ASYNC_start_job"}}));
}

} // namespace
} // namespace dt
