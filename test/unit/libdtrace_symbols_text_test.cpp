// Tests the text of printed addresses (dtrace-output(7), STACKS).
#include <gmock/gmock.h>
#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "libdtrace/elf/elf_symbols.hpp"
#include "libdtrace/mappings/vdso.hpp"
#include "libdtrace/symbols/kernel_symbols.hpp"
#include "libdtrace/symbols/symbols.hpp"

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
    return {kKallsyms, kModules};
}

std::string find(KernelSymbols symbols, uint64_t address)
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

TEST(KernelSymbols, AnAddressBelongsToThePrecedingSymbol)
{
    KernelSymbols symbols = kernel();
    EXPECT_EQ(find(symbols, 0xffffffff81000100), "vmlinux`do_read");
    EXPECT_EQ(find(symbols, 0xffffffff810001ff), "vmlinux`do_read");
    EXPECT_EQ(find(symbols, 0xffffffffc0001180), "ext4`ext4_write");
    EXPECT_EQ(symbols.find(0xffffffff810001ff).start, 0xffffffff81000100u);
}

TEST(KernelSymbols, OfSeveralNamesTheBestOneIsChosenInAnyOrder)
{
    EXPECT_EQ(find(kernel(), 0xffffffff81000010), "vmlinux`alias_listed_later") << "fewer underscores";
    const auto best_of = [](const std::string& lines) { return find(KernelSymbols(lines, ""), 0xffffffff81000000); };
    const std::string local = "ffffffff81000000 t a_local\n", weak = "ffffffff81000000 W b_weak\n",
                      global = "ffffffff81000000 T ___c_global\n", shorter = "ffffffff81000000 T ___d\n",
                      end = "ffffffff81000100 T _end\n";
    EXPECT_EQ(best_of(local + weak + global + end), "vmlinux`___c_global");
    EXPECT_EQ(best_of(global + weak + local + end), "vmlinux`___c_global");
    EXPECT_EQ(best_of(local + weak + end), "vmlinux`b_weak");
    EXPECT_EQ(best_of(global + shorter + end), "vmlinux`___d");
}

TEST(KernelSymbols, ASymbolDoesNotExtendBeyondItsModule)
{
    KernelSymbols symbols = kernel();
    EXPECT_EQ(find(symbols, 0xffffffffc0002000), "`") << "the module ends at 8192 bytes";
    EXPECT_EQ(find(symbols, 0xffffffff90000000), "`") << "behind _end";
    EXPECT_EQ(find(symbols, 0x1000), "`") << "per-CPU offsets are no addresses";
}

TEST(KernelSymbols, ASymbolDoesNotExtendBeyondItsSection)
{
    const KernelSymbols symbols("ffffffff81000000 T _text\nffffffff81000100 T last\nffffffff81000200 T "
                                "_etext\nffffffff82000000 D __start_rodata\n"
                                "ffffffffc0001000 t ftrace_trampoline\t[__builtin__ftrace]\n",
                                "");
    EXPECT_EQ(find(symbols, 0xffffffff810001ff), "vmlinux`last");
    EXPECT_EQ(find(symbols, 0xffffffff81000201), "`") << "between two sections";
    EXPECT_EQ(find(symbols, 0xffffffffc0001fff), "vmlinux`ftrace_trampoline");
    EXPECT_EQ(find(symbols, 0xffffffffc0002000), "`") << "made at run time, and followed by nothing";
}

TEST(KernelSymbols, AnAddressWithoutASymbolHasAModule)
{
    KernelSymbols symbols = kernel();
    const auto found = symbols.find(0xffffffffc0000010);
    EXPECT_EQ(found.module, "ext4");
    EXPECT_EQ(found.name, "");
}

TEST(KernelSymbols, ANameIsLookedUpInTheCoreKernelFirst)
{
    KernelSymbols names("ffffffffa0000000 d jiffies\t[odd]\n"
                        "ffffffff81000000 D jiffies_64\n"
                        "ffffffff81000000 D jiffies\n"
                        "ffffffff81000010 D next\n",
                        "");
    EXPECT_EQ(names.lookup("", "jiffies")->address, 0xffffffff81000000u);
    EXPECT_EQ(names.lookup("", "jiffies")->size, 16u);
    EXPECT_EQ(names.lookup("odd", "jiffies")->address, 0xffffffffa0000000u);
    EXPECT_FALSE(names.lookup("", "jiff"));
    EXPECT_FALSE(names.lookup("vmlinux", "nosuch"));
}

TEST(KernelSymbols, FunctionsAndPerCpuVariablesAreDistinguished)
{
    KernelSymbols names("0000000000000000 A __per_cpu_start\n"
                        "0000000000000000 A first\n"
                        "0000000000001000 A runqueues\n"
                        "0000000000002000 A __per_cpu_end\n"
                        "ffffffff81000000 T start\n"
                        "ffffffff81000010 W weak\n"
                        "ffffffff82000000 d data\n",
                        "");
    EXPECT_TRUE(names.lookup("", "start")->is_function);
    EXPECT_TRUE(names.lookup("", "weak")->is_function);
    EXPECT_FALSE(names.lookup("", "data")->is_function);
    ASSERT_TRUE(names.lookup("", "first"));
    EXPECT_FALSE(names.lookup("", "runqueues")->is_function);
    EXPECT_TRUE(names.is_per_cpu(names.lookup("", "first")->address));
    EXPECT_TRUE(names.is_per_cpu(0x1000));
    EXPECT_FALSE(names.is_per_cpu(0x2000));
    EXPECT_FALSE(names.is_per_cpu(0xffffffff82000000));
}

TEST(KernelSymbols, WithoutTheAddressOfItsSectionNoVariableIsPerCpu)
{
    KernelSymbols names("ffffffff81000000 D jiffies\n", "");
    EXPECT_FALSE(names.is_per_cpu(0));
}

TEST(KernelSymbols, FunctionsOfAModuleAreListed)
{
    KernelSymbols symbols = kernel();
    std::vector<std::string> seen;
    symbols.for_each_function([&](std::string_view module, std::string_view name, uint64_t) {
        if (module == "ext4")
            seen.emplace_back(name);
    });
    EXPECT_THAT(seen, testing::ElementsAre("ext4_read", "ext4_write"));
}

TEST(KernelSymbols, TheErrorForHiddenAddressesStatesARemedy)
{
    KernelSymbols symbols("0000000000000000 T _text\n0000000000000000 T do_read\n", "");
    EXPECT_EQ(symbols.find(0xffffffff81000100).module, "");
    EXPECT_FALSE(symbols.lookup("", "do_read"));
    ASSERT_FALSE(symbols.readable());
    EXPECT_THAT(symbols.readable().error().message, testing::HasSubstr("kptr_restrict"));
}

TEST(KernelSymbols, SymbolsAddedLaterAreFound)
{
    const std::string proc = testing::TempDir() + "proc_since" + std::to_string(getpid());
    std::filesystem::create_directories(proc);
    std::ofstream(proc + "/kallsyms") << kKallsyms;
    KernelSymbols symbols(proc);
    EXPECT_TRUE(symbols.lookup("", "do_read"));
    std::ofstream(proc + "/kallsyms", std::ios::app) << "ffffffffc0400000 t bpf_prog_2\t[bpf]\n";
    EXPECT_EQ(symbols.find(0xffffffffc0400010).name, "bpf_prog_2");
    std::filesystem::remove_all(proc);
}

TEST(KernelSymbols, UnloadedBpfProgramsAreReplacedByThoseAtTheirAddresses)
{
    const std::string proc = testing::TempDir() + "dt_kallsyms_" + std::to_string(getpid());
    std::filesystem::create_directories(proc);
    const std::string core = "ffffffff81000000 T _text\nffffffff81000100 T last\nffffffff81000200 T _etext\n";
    std::ofstream(proc + "/kallsyms") << core << "ffffffffc0300000 t bpf_prog_1\t[bpf]\n";
    KernelSymbols symbols(proc);
    EXPECT_EQ(symbols.find(0xffffffffc0300010).name, "bpf_prog_1");
    std::ofstream(proc + "/kallsyms") << core << "ffffffffc0300000 t bpf_prog_2\t[bpf]\n";
    symbols.forget_programs();
    EXPECT_EQ(symbols.find(0xffffffff81000110).name, "last");
    EXPECT_EQ(symbols.find(0xffffffffc0300010).name, "bpf_prog_2");
    std::filesystem::remove_all(proc);
}

TEST(KernelSymbols, APackedTableHasTheSameSymbolsAsItsText)
{
    std::string text;
    char line[64];
    constexpr uint64_t kFirst = 0xffffffff81000000;
    for (unsigned i = 0; i < 2000; ++i) { // enough symbols for several blocks of the packed table
        std::snprintf(line, sizeof line, "%llx t function_%u\n", static_cast<unsigned long long>(kFirst + i * 48), i);
        text += line;
    }
    text += "ffffffff82000000 T _etext\nffffffffc0001100 t ext4_write\t[ext4]\n";
    KernelSymbols plain(text, kModules), packed(text, kModules);
    packed.pack();
    for (uint64_t address = kFirst - 1; address < kFirst + 2000 * 48; address += 7) {
        const auto expected = plain.find(address);
        const std::string module(expected.module), name(expected.name);
        const auto found = packed.find(address);
        ASSERT_EQ(found.name, name) << address;
        ASSERT_EQ(found.module, module);
        ASSERT_EQ(found.start, expected.start);
    }
    EXPECT_EQ(find(packed, 0xffffffffc0001180), "ext4`ext4_write");
    EXPECT_EQ(find(packed, 0xffffffffc0000080), "ext4`");
    EXPECT_EQ(packed.module_start("ext4"), 0xffffffffc0000000u);
}

TEST(KernelSymbols, APackedTableIsReadAgainForNamesAndNewSymbols)
{
    const std::string proc = testing::TempDir() + "proc_packed" + std::to_string(getpid());
    std::filesystem::create_directories(proc);
    const std::string core = "ffffffff81000000 T _text\nffffffff81000100 T last\nffffffff81000200 T _etext\n";
    std::ofstream(proc + "/kallsyms") << core << "ffffffffc0300000 t bpf_prog_1\t[bpf]\n";
    KernelSymbols symbols(proc);
    EXPECT_EQ(symbols.find(0xffffffffc0300010).name, "bpf_prog_1");
    symbols.pack();
    EXPECT_EQ(symbols.find(0xffffffffc0300010).name, "bpf_prog_1");
    ASSERT_TRUE(symbols.lookup("", "last"));
    EXPECT_EQ(symbols.lookup("", "last")->address, 0xffffffff81000100u);
    symbols.pack();
    std::ofstream(proc + "/kallsyms") << core << "ffffffffc0300000 t bpf_prog_2\t[bpf]\n";
    symbols.forget_programs();
    EXPECT_EQ(symbols.find(0xffffffff81000110).name, "last");
    EXPECT_EQ(symbols.find(0xffffffffc0300010).name, "bpf_prog_2");
    EXPECT_EQ(symbols.find(0xffffffff81000110).name, "last") << "which is packed again";
    std::filesystem::remove_all(proc);
}

TEST(ElfSymbols, APackedTableFindsTheSameSymbolsAsTheFile)
{
    ElfSymbols plain("/proc/self/exe"), packed("/proc/self/exe");
    packed.pack();
    ASSERT_TRUE(packed.is_packed());
    EXPECT_LT(packed.bytes(), plain.bytes() / 4);
    for (const ElfSymbols::Symbol& symbol : plain.all()) {
        const ElfSymbols::Symbol* const found = packed.find(symbol.start);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->name, symbol.name);
        EXPECT_EQ(found->size, symbol.size);
    }
    // Also looks up the last byte of each symbol, because another symbol may be nested there.
    for (const ElfSymbols::Symbol& symbol : plain.all()) {
        const uint64_t last = symbol.start + std::max<uint64_t>(symbol.size, 1) - 1;
        const ElfSymbols::Symbol *const found = packed.find(last), *const known = plain.find(last);
        ASSERT_EQ(found == nullptr, known == nullptr);
        ASSERT_TRUE(!found || found->name == known->name) << symbol.name;
    }
    packed.rest();
    EXPECT_EQ(packed.find(0), nullptr);
}

TEST(SymbolText, AReturnAddressAfterTheEndOfAFunctionBelongsToIt)
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
    EXPECT_EQ(own.user(getpid(), address, Symbols::Form::Symbol),
              std::string(program_invocation_short_name) + "`a_function_to_look_up");
    EXPECT_NE(own.user(getpid(), address, Symbols::Form::Symbol, false, Symbols::Use::Return),
              std::string(program_invocation_short_name) + "`a_function_to_look_up");
}

TEST(ProcessMaps, MappingsWithANameStayInOrder)
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

TEST(Symbols, UnknownAddressesArePrintedInHexadecimal)
{
    Symbols symbols("/nonexistent");
    EXPECT_EQ(symbols.kernel(0xabc, Symbols::Form::Exact), "0xabc");
    EXPECT_EQ(symbols.user(0, 0xabc, Symbols::Form::Symbol), "0xabc");
    EXPECT_EQ(symbols.user(1, 0xabc, Symbols::Form::Module), "0xabc");
    EXPECT_EQ(symbols.reduce_kernel(0xabc, Symbols::Form::Symbol), 0xabcu);
}

TEST(Symbols, AFunctionOfThisProcessIsPrintedInEachForm)
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

TEST(Symbols, CodeOfTheVdsoIsPrintedWithNames)
{
    const ElfSymbols::Symbol* const known = vdso_symbols("/proc").find_name("clock_gettime");
    if (!known)
        GTEST_SKIP() << "this kernel puts no code into processes";
    Symbols symbols("/proc");
    const uint64_t address = getauxval(AT_SYSINFO_EHDR) + known->start;
    EXPECT_EQ(symbols.user(getpid(), address + 1, Symbols::Form::Exact), "[vdso]`__vdso_clock_gettime+0x1");
    EXPECT_EQ(symbols.user(getpid(), address, Symbols::Form::Module), "[vdso]");
}

// If a process ends during a lookup, its files can no longer be read through /proc.
TEST(Symbols, AFileThatProcfsCannotOpenIsOpenedByItsPath)
{
    namespace fs = std::filesystem;
    const fs::path proc = fs::temp_directory_path() / ("dtrace-proc-" + std::to_string(getpid()));
    const fs::path seen = proc / "7" / "root" / fs::read_symlink("/proc/self/exe").relative_path();
    fs::create_directories(seen.parent_path());
    std::ofstream(seen) << "gone";
    std::ofstream(proc / "7" / "maps") << std::ifstream("/proc/self/maps").rdbuf();
    Symbols symbols(proc.string());
    const auto address = reinterpret_cast<uint64_t>(&a_function_to_look_up);
    EXPECT_EQ(symbols.user(7, address, Symbols::Form::Symbol),
              std::string(program_invocation_short_name) + "`a_function_to_look_up");
    fs::remove_all(proc);
}

TEST(Symbols, AFunctionOfALibraryIsPrintedWithLibraryAndName)
{
    Symbols symbols;
    const auto address = reinterpret_cast<uint64_t>(&::getppid);
    EXPECT_EQ(symbols.user(getpid(), address, Symbols::Form::Symbol), "libc.so.6`getppid");
}

TEST(Symbols, WithNoresolveFileAndOffsetArePrinted)
{
    Symbols symbols;
    const auto address = reinterpret_cast<uint64_t>(&::getppid);
    const std::string text(symbols.user(getpid(), address, Symbols::Form::Exact, true));
    EXPECT_EQ(text.substr(0, 12), "libc.so.6:0x");
}
