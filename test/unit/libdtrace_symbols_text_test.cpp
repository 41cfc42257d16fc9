// Addresses to text: output-and-cli reference 1.12.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "libdtrace/world/symbols.hpp"
#include "libdtrace/world/symbols_kernel.hpp"
#include "libdtrace/process/elf_symbols.hpp"

using namespace dt;

namespace {

constexpr const char* kKallsyms = "0000000000001000 A percpu_thing\n"
                                  "ffffffff81000000 T _text\n"
                                  "ffffffff81000000 T alias_listed_later\n"
                                  "ffffffff81000100 t do_read\n"
                                  "ffffffff81000200 T do_write\n"
                                  "ffffffff81000300 B _end\n"
                                  "ffffffffc0001000 t ext4_read\t[ext4]\n"
                                  "ffffffffc0001100 t ext4_write\t[ext4]\n"
                                  "ffffffffc0300000 t bpf_prog_1\t[bpf]\n";
constexpr const char* kModules = "ext4 8192 1 - Live 0xffffffffc0000000\n";

KernelSymbols kernel()
{
    KernelSymbols symbols;
    symbols.load(kKallsyms, kModules);
    return symbols;
}

std::string find(const KernelSymbols& symbols, uint64_t address)
{
    const auto found = symbols.find(address);
    return std::string(found.module) + "`" + std::string(found.name);
}

} // namespace

extern "C" int a_function_to_look_up(int x)
{
    asm volatile("" ::: "memory");
    return x + 1;
}

TEST(KernelSymbols, FindsTheSymbolBelow)
{
    const KernelSymbols symbols = kernel();
    EXPECT_EQ(find(symbols, 0xffffffff81000100), "vmlinux`do_read");
    EXPECT_EQ(find(symbols, 0xffffffff810001ff), "vmlinux`do_read");
    EXPECT_EQ(find(symbols, 0xffffffffc0001180), "ext4`ext4_write");
    EXPECT_EQ(symbols.find(0xffffffff810001ff).start, 0xffffffff81000100u);
}

TEST(KernelSymbols, OfAliasesTheFirstListed)
{
    EXPECT_EQ(find(kernel(), 0xffffffff81000010), "vmlinux`_text");
}

TEST(KernelSymbols, ASymbolDoesNotReachOutOfItsModule)
{
    const KernelSymbols symbols = kernel();
    EXPECT_EQ(find(symbols, 0xffffffffc0002000), "`") << "the module ends at 8192 bytes";
    EXPECT_EQ(find(symbols, 0xffffffff90000000), "`") << "behind _end";
    EXPECT_EQ(find(symbols, 0x1000), "`") << "per-CPU offsets are no addresses";
}

TEST(KernelSymbols, ASymbolEndsWithItsSection)
{
    KernelSymbols symbols;
    symbols.load("ffffffff81000000 T _text\nffffffff81000100 T last\nffffffff81000200 T _etext\nffffffff82000000 D __start_rodata\n"
                 "ffffffffc0001000 t ftrace_trampoline\t[__builtin__ftrace]\n",
                 "");
    EXPECT_EQ(find(symbols, 0xffffffff810001ff), "vmlinux`last");
    EXPECT_EQ(find(symbols, 0xffffffff81000201), "`") << "between two sections";
    EXPECT_EQ(find(symbols, 0xffffffffc0001fff), "vmlinux`ftrace_trampoline");
    EXPECT_EQ(find(symbols, 0xffffffffc0002000), "`") << "made at run time, and followed by nothing";
}

TEST(KernelSymbols, OnlyTheModuleIsKnown)
{
    const KernelSymbols symbols = kernel();
    const auto found = symbols.find(0xffffffffc0000010);
    EXPECT_EQ(found.module, "ext4");
    EXPECT_EQ(found.name, "");
}

TEST(KernelSymbols, NoPermissionMeansNoSymbols)
{
    KernelSymbols symbols;
    symbols.load("0000000000000000 T _text\n0000000000000000 T do_read\n", "");
    EXPECT_EQ(find(symbols, 0xffffffff81000100), "`");
}

TEST(SymbolText, AReturnAddressMayBeBehindItsFunction)
{
    const std::string proc = testing::TempDir() + "proc" + std::to_string(getpid());
    std::filesystem::create_directories(proc);
    std::ofstream(proc + "/kallsyms") << kKallsyms;
    Symbols symbols(proc);
    EXPECT_EQ(symbols.kernel(0xffffffff81000200, Symbols::Form::Exact, Symbols::Use::Return), "vmlinux`do_read+0x100");
    EXPECT_EQ(symbols.kernel(0xffffffff81000200, Symbols::Form::Exact), "vmlinux`do_write");
    std::filesystem::remove_all(proc);
    Symbols own;
    const auto address = reinterpret_cast<uint64_t>(&a_function_to_look_up);
    EXPECT_EQ(own.user(getpid(), address, Symbols::Form::Symbol), std::string(program_invocation_short_name) + "`a_function_to_look_up");
    EXPECT_NE(own.user(getpid(), address, Symbols::Form::Symbol, false, Symbols::Use::Return),
              std::string(program_invocation_short_name) + "`a_function_to_look_up");
}

TEST(Maps, KeepsMappingsThatHaveANameInOrder)
{
    auto maps = parse_maps("00400000-00401000 r-xp 00002000 fe:00 123                        /usr/bin/app with blank\n"
                           "00500000-00501000 rw-p 00000000 00:00 0 \n"
                           "7f0000000000-7f0000001000 r--p 00000000 fe:00 9    /usr/lib/libc.so.6 (deleted)\n"
                           "7ffc00000000-7ffc00002000 r-xp 00000000 00:00 0                  [vdso]\n");
    ASSERT_EQ(maps.size(), 3u);
    EXPECT_EQ(maps[0].path, "/usr/bin/app with blank");
    EXPECT_EQ(maps[0].offset, 0x2000u);
    EXPECT_EQ(maps[1].base_name(), "libc.so.6");
    EXPECT_EQ(maps[2].base_name(), "[vdso]");
    EXPECT_EQ(find_mapping(maps, 0x400fff), &maps[0]);
    EXPECT_EQ(find_mapping(maps, 0x401000), nullptr);
}

TEST(Symbols, UnknownAddressesAreHexadecimal)
{
    Symbols symbols("/nonexistent");
    EXPECT_EQ(symbols.kernel(0xabc, Symbols::Form::Exact), "0xabc");
    EXPECT_EQ(symbols.user(0, 0xabc, Symbols::Form::Symbol), "0xabc");
    EXPECT_EQ(symbols.user(1, 0xabc, Symbols::Form::Module), "0xabc");
    EXPECT_EQ(symbols.reduce_kernel(0xabc, Symbols::Form::Symbol), 0xabcu);
}

TEST(Symbols, OwnFunctionInEachForm)
{
    Symbols symbols;
    const auto address = reinterpret_cast<uint64_t>(&a_function_to_look_up);
    const std::string program = program_invocation_short_name;
    EXPECT_EQ(symbols.user(getpid(), address, Symbols::Form::Exact), program + "`a_function_to_look_up");
    EXPECT_EQ(symbols.user(getpid(), address + 1, Symbols::Form::Exact), program + "`a_function_to_look_up+0x1");
    EXPECT_EQ(symbols.user(getpid(), address + 1, Symbols::Form::Symbol), program + "`a_function_to_look_up");
    EXPECT_EQ(symbols.user(getpid(), address + 1, Symbols::Form::Module), program);
    EXPECT_EQ(symbols.reduce_user(getpid(), address + 1, Symbols::Form::Symbol), address);
    EXPECT_EQ(symbols.reduce_user(getpid(), address + 1, Symbols::Form::Exact), address + 1);
}

// A process that ends while its files are looked up takes its view of them along.
TEST(Symbols, AFileThatCannotBeReadThroughTheProcessIsReadByItsPath)
{
    namespace fs = std::filesystem;
    const fs::path proc = fs::temp_directory_path() / ("dtrace-proc-" + std::to_string(getpid()));
    const fs::path seen = proc / "7" / "root" / fs::read_symlink("/proc/self/exe").relative_path();
    fs::create_directories(seen.parent_path());
    std::ofstream(seen) << "gone";
    std::ofstream(proc / "7" / "maps") << std::ifstream("/proc/self/maps").rdbuf();
    Symbols symbols(proc.string());
    const auto address = reinterpret_cast<uint64_t>(&a_function_to_look_up);
    EXPECT_EQ(symbols.user(7, address, Symbols::Form::Symbol), std::string(program_invocation_short_name) + "`a_function_to_look_up");
    fs::remove_all(proc);
}

TEST(Symbols, LibraryFunctionHasItsKnownName)
{
    Symbols symbols;
    const auto address = reinterpret_cast<uint64_t>(&::getppid);
    EXPECT_EQ(symbols.user(getpid(), address, Symbols::Form::Symbol), "libc.so.6`getppid");
}

TEST(Symbols, NoresolveGivesFileAndOffset)
{
    Symbols symbols;
    const auto address = reinterpret_cast<uint64_t>(&::getppid);
    const std::string text(symbols.user(getpid(), address, Symbols::Form::Exact, true));
    EXPECT_EQ(text.substr(0, 12), "libc.so.6:0x");
}
