// Tests the unwind rules and the decoding of real code for 64-bit Arm, on any machine. The files are libraries from the
// packages of a cross compiler. The build with sanitizers runs these tests, too.
#include <gelf.h>
#include <libelf.h>

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <optional>
#include <string>
#include <vector>

#include "libdtrace/elf/elf_file.hpp"
#include "libdtrace/stacks/unwind_rows.hpp"
#include "machine/arm64/arm64.hpp"
#include "probes/user/uprobe_placement.hpp"

namespace dt::machine::arm64 {
namespace {

struct FunctionOfFile {
    uint64_t address;
    std::vector<uint8_t> code;
};

class Arm64File {
public:
    explicit Arm64File(const std::string& name) : file_("/usr/aarch64-linux-gnu/lib/" + name) {}

    Elf* elf() const { return file_.get(); }

    /// Returns the exported functions of a file.
    std::vector<FunctionOfFile> functions() const
    {
        std::vector<FunctionOfFile> found;
        std::size_t size = 0;
        const char* const bytes = elf_rawfile(elf(), &size);
        for (Elf_Scn* section = nullptr; (section = elf_nextscn(elf(), section));) {
            GElf_Shdr header;
            if (!gelf_getshdr(section, &header) || header.sh_type != SHT_DYNSYM)
                continue;
            Elf_Data* const data = elf_getdata(section, nullptr);
            GElf_Sym symbol;
            for (int i = 0; data && gelf_getsym(data, i, &symbol); ++i) {
                const auto at = offset_of(symbol.st_value);
                if (GELF_ST_TYPE(symbol.st_info) == STT_FUNC && symbol.st_size != 0 && at &&
                    *at + symbol.st_size <= size)
                    found.push_back({symbol.st_value, {bytes + *at, bytes + *at + symbol.st_size}});
            }
        }
        return found;
    }

private:
    std::optional<uint64_t> offset_of(uint64_t address) const
    {
        std::size_t count = 0;
        elf_getphdrnum(elf(), &count);
        GElf_Phdr segment;
        for (std::size_t i = 0; i < count; ++i)
            if (gelf_getphdr(elf(), static_cast<int>(i), &segment) && segment.p_type == PT_LOAD &&
                (segment.p_flags & PF_X) && address - segment.p_vaddr < segment.p_filesz)
                return address - segment.p_vaddr + segment.p_offset;
        return {};
    }

    ElfFile file_;
};

class Arm64Files : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override
    {
        if (!file.elf())
            GTEST_SKIP() << "the cross compiler's libraries are not here (libc6-arm64-cross, libstdc++6-arm64-cross)";
    }

    Arm64File file{GetParam()};
};

TEST_P(Arm64Files, TheUnwindTableCoversTheStartOfEveryFunction)
{
    const std::vector<UnwindRow> rows = read_unwind_rows(file.elf(), nullptr, kMachine);
    ASSERT_GT(rows.size(), 100u);
    EXPECT_TRUE(
        std::is_sorted(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.address < b.address; }));
    EXPECT_EQ(rows.back().rule.cfa, DT_CFA_NONE);
    std::size_t ruled = 0, entered = 0;
    for (const FunctionOfFile& function : file.functions()) {
        const auto behind =
            std::upper_bound(rows.begin(), rows.end(), function.address,
                             [](uint64_t address, const UnwindRow& row) { return address < row.address; });
        if (behind == rows.begin() || std::prev(behind)->rule.cfa == DT_CFA_NONE)
            continue; // skips hand-written assembly, which has no unwind information
        const dt_unwind_rule& rule = std::prev(behind)->rule;
        ++ruled;
        entered += rule.cfa == (DT_CFA_SP | DT_RA_LINK << DT_RA_BITS) && rule.cfa_offset == 0;
    }
    EXPECT_GT(ruled, 50u);
    EXPECT_EQ(entered, ruled) << "the caller is in the register, and its frame where the stack pointer is";
}

TEST_P(Arm64Files, AllCodeIsDecodedAndFunctionsCanBeProbed)
{
    std::size_t whole = 0, refused = 0, count = 0;
    for (const FunctionOfFile& function : file.functions()) {
        const probes::FunctionCode code(kMachine, function.code);
        ++count;
        whole += code.is_whole();
        EXPECT_EQ(code.offsets().size() * kInstruction,
                  code.is_whole() ? function.code.size() : code.offsets().size() * kInstruction);
        const auto entry = code.place_of(code.entry_place(), true);
        refused += !entry.refusal.empty();
        EXPECT_EQ(entry.offset % kInstruction, 0u);
        EXPECT_LE(entry.offset, kFarthestEntry);
        choices_in(function.code, function.address);
    }
    EXPECT_GT(count, 50u);
    EXPECT_EQ(whole, count);
    EXPECT_LE(refused * 100, count * 5) << "entries that the kernel takes no probe on";
}

INSTANTIATE_TEST_SUITE_P(Cross, Arm64Files, testing::Values("libc.so.6", "libm.so.6", "libstdc++.so.6", "libgomp.so.1"),
                         [](const auto& each) {
                             std::string name = each.param;
                             std::replace_if(
                                 name.begin(), name.end(),
                                 [](char c) { return !std::isalnum(static_cast<unsigned char>(c)); }, '_');
                             return name;
                         });

} // namespace
} // namespace dt::machine::arm64
