// Tests the search for kernel functions whose code contains an error number. The test builds a core file with such code
// in place of the running kernel.
#include <elf.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "libdtrace/kernel/kernel_functions.hpp"
#include "test/support/frozen_kernel.hpp"

namespace dt {
namespace {

constexpr uint64_t kBegin = 0xffffffff81000000;

struct KernelOfThree : test::FrozenKernel {
    const machine::Machine& machine() const override { return *machine::named("x86_64"); }
    std::span<const probes::KernelFunction> traceable() override { return functions; }
    void for_each_symbol(const VisitSymbol& visit, std::span<const std::string_view>) override
    {
        visit("vmlinux", "third", kBegin + 32); // symbols need not be listed in the order of their addresses
        visit("vmlinux", "first", kBegin);
        visit("vmlinux", "hidden", kBegin + 16);
        visit("vmlinux", "_end", kBegin + 48);
    }
    std::vector<probes::KernelFunction> functions = {{"first", "vmlinux"}, {"third", "vmlinux"}};
};

std::string folder_with_core(std::string_view code)
{
    std::string folder = ::testing::TempDir() + "/kcore-XXXXXX";
    EXPECT_NE(mkdtemp(folder.data()), nullptr);
    Elf64_Ehdr header{};
    header.e_ident[EI_MAG0] = ELFMAG0;
    header.e_ident[EI_MAG1] = 'E', header.e_ident[EI_MAG2] = 'L', header.e_ident[EI_MAG3] = 'F';
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_phoff = sizeof header, header.e_phnum = 1, header.e_phentsize = sizeof(Elf64_Phdr);
    Elf64_Phdr part{};
    part.p_type = PT_LOAD, part.p_vaddr = kBegin, part.p_offset = sizeof header + sizeof part;
    part.p_filesz = code.size();
    std::ofstream file(folder + "/kcore", std::ios::binary);
    file.write(reinterpret_cast<const char*>(&header), sizeof header);
    file.write(reinterpret_cast<const char*>(&part), sizeof part);
    file.write(code.data(), static_cast<std::streamsize>(code.size()));
    return folder;
}

TEST(KernelCode, FunctionsThatContainTheErrorNumberAndAreTraceableAreFound)
{
    std::string code(48, '\x90');
    code.replace(4, 5, "\xb8\xf3\xff\xff\xff", 5);  // the code of function first: mov $-13, %eax
    code.replace(16, 5, "\xb8\xf3\xff\xff\xff", 5); // the code of function hidden is the same instruction
    code.replace(32, 5, "\xb8\xfe\xff\xff\xff", 5); // the code of function third: mov $-2, %eax
    const std::string folder = folder_with_core(code);
    KernelOfThree kernel;
    const auto found = functions_that_make(kernel, folder, -13);
    ASSERT_TRUE(found) << found.error().message;
    EXPECT_EQ(found.value(), std::vector<std::string>{"first"});
    EXPECT_EQ(functions_that_make(kernel, folder, -2).value(), std::vector<std::string>{"third"});
    EXPECT_TRUE(functions_that_make(kernel, folder, -22).value().empty());
    std::filesystem::remove_all(folder);
}

TEST(KernelCode, CodeThatCannotBeReadIsReported)
{
    KernelOfThree kernel;
    const auto found = functions_that_make(kernel, "/nonexistent", -13);
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().message, "cannot read the kernel's code in /nonexistent/kcore: No such file or directory");
    const std::string folder = folder_with_core(std::string());
    EXPECT_TRUE(functions_that_make(kernel, folder, -13).value().empty());
    std::filesystem::remove_all(folder);
}

} // namespace
} // namespace dt
