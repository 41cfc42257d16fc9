// Tests types from BTF, the kernel's type information. The tests build the BTF themselves.
#include "libdtrace/types/btf_types.hpp"

#include <bpf/btf.h>
#include <gmock/gmock.h>

#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

namespace dt {
namespace {

namespace fs = std::filesystem;

using testing::ElementsAre;

/// BTF data for two objects. Core kernel: `struct core { int number; }`, per-CPU variables, a function and a
/// tracepoint. Module: a struct and a function that refer to types of the core kernel.
class Btf : public testing::Test {
protected:
    Btf()
    {
        fs::create_directories(folder_);
        btf* core = btf__new_empty();
        const int number = btf__add_int(core, "int", 4, BTF_INT_SIGNED);
        record_ = btf__add_struct(core, "core", 4);
        btf__add_field(core, "number", number, 0, 0);
        const int variable = btf__add_var(core, "busy", BTF_VAR_GLOBAL_ALLOCATED, record_);
        btf__add_datasec(core, ".data..percpu", 4);
        btf__add_datasec_var_info(core, variable, 0, 4);
        const int to_record = btf__add_ptr(core, record_), data = btf__add_ptr(core, 0);
        const int open = btf__add_func_proto(core, number);
        btf__add_func_param(core, "path", to_record);
        btf__add_func_param(core, "flags", number);
        btf__add_func_param(core, "", 0);
        open_ = btf__add_func(core, "do_open", BTF_FUNC_GLOBAL, open);
        const int opened = btf__add_func_proto(core, 0);
        btf__add_func_param(core, "__data", data);
        btf__add_func_param(core, "result", number);
        btf__add_typedef(core, "btf_trace_opened", btf__add_ptr(core, opened));
        btf__add_typedef(core, "btf_trace_odd", number);
        save(core, "vmlinux");

        btf* module = btf__new_empty_split(core);
        const int pointer = btf__add_ptr(module, record_);
        btf__add_struct(module, "user", 8);
        btf__add_field(module, "core", pointer, 0, 0);
        const int own = btf__add_var(module, "mine", BTF_VAR_GLOBAL_ALLOCATED, pointer);
        btf__add_datasec(module, ".data..percpu", 8);
        btf__add_datasec_var_info(module, own, 0, 8);
        btf__add_var(module, "plain", BTF_VAR_GLOBAL_ALLOCATED, pointer);
        own_ = btf__add_func(module, "odd_open", BTF_FUNC_STATIC, open);
        save(module, "odd");
        btf__free(module);
        btf__free(core);
    }
    ~Btf() override { fs::remove_all(folder_); }

    void save(const btf* data, const char* name)
    {
        uint32_t size = 0;
        const void* bytes = btf__raw_data(data, &size);
        FILE* file = std::fopen((folder_ + "/" + name).c_str(), "w");
        std::fwrite(bytes, 1, size, file);
        std::fclose(file);
    }

    const std::string folder_ = testing::TempDir() + "dt_btf_" + std::to_string(getpid()) + "_" +
                                std::to_string(reinterpret_cast<uintptr_t>(this));
    int record_ = 0, open_ = 0, own_ = 0;
    TypeTable table;
    BtfTypes types{folder_};
};

TEST_F(Btf, TypesOfAModuleReferToTypesOfTheCoreKernel)
{
    const Type* user = types.find(table, TypeNamespace::Struct, "user", "odd");
    ASSERT_NE(user, nullptr);
    const Type* core = types.find(table, TypeNamespace::Struct, "core", "");
    ASSERT_NE(core, nullptr);
    EXPECT_EQ(user->members()[0].type->target, core);
}

TEST_F(Btf, ATypeTableKeepsItsTypesAfterAnotherTableIsDestroyed)
{
    const Type* first = types.find(table, TypeNamespace::Struct, "user", "odd");
    {
        TypeTable other;
        const Type* second = types.find(other, TypeNamespace::Struct, "user", "odd");
        ASSERT_NE(second, nullptr);
        EXPECT_NE(second, first);
        EXPECT_EQ(second->members()[0].type->target->members()[0].type, other.named("int"));
        EXPECT_NE(types.tracepoint_type(other, "opened", ""), types.tracepoint_type(table, "opened", ""));
    }
    EXPECT_EQ(types.find(table, TypeNamespace::Struct, "user", "odd"), first);
    EXPECT_EQ(first->members()[0].type->target->members()[0].type, table.named("int"));
    EXPECT_EQ(types.tracepoint_type(table, "opened", "")->parameters[0], table.named("int"));
}

TEST_F(Btf, VariablesHaveTheirOwnNameSpace)
{
    EXPECT_EQ(types.find(table, TypeNamespace::Variable, "busy", "vmlinux"),
              types.find(table, TypeNamespace::Struct, "core", ""));
    EXPECT_EQ(to_string(types.find(table, TypeNamespace::Variable, "mine", "odd")), "struct core *");
    EXPECT_EQ(types.find(table, TypeNamespace::Variable, "mine", "vmlinux"), nullptr);
    EXPECT_EQ(types.find(table, TypeNamespace::Ordinary, "busy", ""), nullptr);
}

TEST_F(Btf, PerCpuVariablesOfModulesAreFoundInTheirSection)
{
    EXPECT_TRUE(types.is_per_cpu("odd", "mine"));
    EXPECT_FALSE(types.is_per_cpu("odd", "plain"));
    EXPECT_FALSE(types.is_per_cpu("odd", "nosuch"));
    EXPECT_FALSE(types.is_per_cpu("even", "mine"));
}

TEST_F(Btf, PrototypesOfFunctionsNameTheParameters)
{
    const Type* open = types.find(table, TypeNamespace::Function, "do_open", "vmlinux");
    ASSERT_NE(open, nullptr);
    EXPECT_EQ(to_string(open), "int (struct core *, int, ...)");
    EXPECT_THAT(open->parameter_names, ElementsAre("path", "flags"));
    EXPECT_THAT(types.parameter_names("vmlinux", "do_open"), ElementsAre("path", "flags"));
    EXPECT_TRUE(types.parameter_names("vmlinux", "nosuch").empty());
    EXPECT_EQ(open->parameters[0]->target, types.find(table, TypeNamespace::Struct, "core", ""));
    EXPECT_EQ(types.find(table, TypeNamespace::Function, "odd_open", "odd"), open);
    EXPECT_EQ(types.find(table, TypeNamespace::Function, "odd_open", "vmlinux"), nullptr);
    EXPECT_EQ(types.find(table, TypeNamespace::Variable, "do_open", ""), nullptr);
}

TEST_F(Btf, FunctionsHaveTheTypeIdsOfTheKernel)
{
    EXPECT_EQ(types.function_id("vmlinux", "do_open"), static_cast<uint32_t>(open_));
    EXPECT_EQ(types.function_id("odd", "odd_open"), static_cast<uint32_t>(own_));
    EXPECT_EQ(types.function_id("odd", "do_open"), std::nullopt);
    EXPECT_EQ(types.function_id("even", "do_open"), std::nullopt);
    std::vector<std::string> seen;
    for (const std::string& module : types.modules())
        types.for_each_function(module, [&](std::string_view name, uint32_t id) {
            seen.push_back(module + " " + std::string(name) + " " + std::to_string(id));
        });
    EXPECT_THAT(seen, ElementsAre("vmlinux do_open " + std::to_string(open_), "odd odd_open " + std::to_string(own_)));
}

TEST_F(Btf, TracepointPrototypesLeaveOutTheKernelsPrivateParameter)
{
    const Type* opened = types.tracepoint_type(table, "opened", "");
    ASSERT_NE(opened, nullptr);
    EXPECT_EQ(to_string(opened), "void (int)");
    EXPECT_THAT(opened->parameter_names, ElementsAre("result"));
    // The tracepoint has no argument types: btf_trace_odd is not a typedef of a pointer to a function.
    EXPECT_EQ(types.tracepoint_type(table, "odd", ""), nullptr);
    EXPECT_EQ(types.tracepoint_type(table, "closed", ""), nullptr);
}

TEST_F(Btf, TracepointsAreListedWithoutBuildingTheirTypes)
{
    const auto opened = types.tracepoint_prototype("opened", "");
    ASSERT_TRUE(opened);
    EXPECT_EQ(opened->parameters, 1u);
    EXPECT_FALSE(types.tracepoint_prototype("odd", ""));
    EXPECT_FALSE(types.tracepoint_prototype("closed", ""));
    std::vector<std::string> seen;
    types.for_each_tracepoint("vmlinux", [&](std::string_view name, uint32_t id) {
        seen.emplace_back(name);
        EXPECT_EQ(types.tracepoint_id("vmlinux", name), id);
    });
    EXPECT_THAT(seen, ElementsAre("opened", "odd"));
    EXPECT_EQ(types.tracepoint_id("vmlinux", "closed"), std::nullopt);
}

TEST_F(Btf, RepeatedLookUpsReturnTheSameTypeIds)
{
    for (int i = 0; i < 20; ++i) {
        EXPECT_EQ(types.function_id("vmlinux", "nosuch" + std::to_string(i)), std::nullopt);
        EXPECT_EQ(types.function_id("vmlinux", "do_open"), static_cast<uint32_t>(open_));
        EXPECT_EQ(types.function_id("odd", "odd_open"), static_cast<uint32_t>(own_));
    }
}

TEST_F(Btf, OnlyModulesWithATypeFileExist)
{
    EXPECT_TRUE(types.has_module("odd"));
    EXPECT_TRUE(types.has_module("vmlinux"));
    EXPECT_FALSE(types.has_module("even"));
}

class BtfOfOneFile : public testing::Test {
protected:
    BtfOfOneFile() { fs::create_directories(folder_); }
    ~BtfOfOneFile() override
    {
        btf__free(core_);
        fs::remove_all(folder_);
    }

    std::vector<char> bytes() const
    {
        uint32_t size = 0;
        const char* data = static_cast<const char*>(btf__raw_data(core_, &size));
        return {data, data + size};
    }

    /// Returns a source of types for a core kernel with this BTF.
    BtfTypes& types(const std::vector<char>& bytes)
    {
        std::ofstream(folder_ + "/vmlinux", std::ios::binary)
            .write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
        return types_.emplace(folder_);
    }

    const std::string folder_ = testing::TempDir() + "dt_btf_alone_" + std::to_string(getpid()) + "_" +
                                std::to_string(reinterpret_cast<uintptr_t>(this));
    btf* core_ = btf__new_empty();
    TypeTable table;
    std::optional<BtfTypes> types_;
};

TEST_F(BtfOfOneFile, MembersAreFoundByPathAndInsideAnonymousMembers)
{
    const int number = btf__add_int(core_, "int", 4, BTF_INT_SIGNED);
    const int inner = btf__add_struct(core_, "inner", 8);
    btf__add_field(core_, "low", number, 0, 0);
    btf__add_field(core_, "high", number, 32, 0);
    const int constant = btf__add_const(core_, inner), four = btf__add_array(core_, number, number, 4);
    const int nameless = btf__add_union(core_, "", 8);
    btf__add_field(core_, "either", number, 0, 0);
    btf__add_field(core_, "or", constant, 0, 0);
    btf__add_fwd(core_, "outer", BTF_FWD_STRUCT);
    btf__add_struct(core_, "outer", 32);
    btf__add_field(core_, "flag", number, 3, 1);
    btf__add_field(core_, "", nameless, 64, 0);
    btf__add_field(core_, "last", four, 128, 0);
    BtfTypes& source = types(bytes());
    const auto place = [&](const char* path) {
        const auto found = source.member("", "outer", path);
        return found ? std::to_string(found->bit_offset) + "+" + std::to_string(found->size) + ":" +
                           std::to_string(found->bit_size)
                     : "none";
    };
    EXPECT_EQ(place("flag"), "3+4:1");
    EXPECT_EQ(place("either"), "64+4:0");
    EXPECT_EQ(place("or.high"), "96+4:0");
    EXPECT_EQ(place("or"), "64+8:0");
    EXPECT_EQ(place("last"), "128+16:0");
    EXPECT_EQ(place("high"), "none");
    EXPECT_EQ(place("last.low"), "none");
    EXPECT_EQ(place("or."), "none");
    EXPECT_EQ(place(""), "none");
}

TEST_F(BtfOfOneFile, ATruncatedFileIsRefused)
{
    const int number = btf__add_int(core_, "int", 4, BTF_INT_SIGNED);
    btf__add_struct(core_, "whole", 4);
    btf__add_field(core_, "number", number, 0, 0);
    const std::vector<char> all = bytes();
    EXPECT_NE(types(all).find(table, TypeNamespace::Struct, "whole", ""), nullptr);
    for (std::size_t size = 0; size < all.size(); ++size)
        EXPECT_EQ(types({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)})
                      .find(table, TypeNamespace::Struct, "whole", ""),
                  nullptr)
            << size;
}

TEST_F(BtfOfOneFile, TheHeaderMayBeShorterOrLongerThanTheCompilerKnows)
{
    btf__add_struct(core_, "whole", 4);
    std::vector<char> all = bytes();
    // size of the BTF header in bytes: before Linux 7.1, and from Linux 7.1 on
    constexpr uint32_t oldest = 24, newest = 32;
    uint32_t length = 0;
    std::memcpy(&length, all.data() + 4, sizeof length); // member hdr_len of the BTF header
    for (const uint32_t wanted : {oldest, newest}) {
        all.erase(all.begin() + oldest, all.begin() + length);
        all.insert(all.begin() + oldest, wanted - oldest, '\0');
        length = wanted;
        std::memcpy(all.data() + 4, &length, sizeof length);
        EXPECT_NE(types(all).find(table, TypeNamespace::Struct, "whole", ""), nullptr) << wanted;
    }
}

TEST_F(BtfOfOneFile, ReferencesToMissingTypesAreVoidAndUnknownKindsAreErrors)
{
    btf__add_typedef(core_, "far", 1);
    std::vector<char> all = bytes();
    btf_type type;
    btf_header header;
    std::memcpy(&header, all.data(), sizeof header);
    char* const first = all.data() + header.hdr_len;
    std::memcpy(&type, first, sizeof type);
    type.type = 4711;
    std::memcpy(first, &type, sizeof type);
    const Type* far = types(all).find(table, TypeNamespace::Ordinary, "far", "");
    ASSERT_NE(far, nullptr);
    EXPECT_EQ(far->resolve()->kind, TypeKind::Void);
    type.info |= 31U << 24;
    std::memcpy(first, &type, sizeof type);
    EXPECT_EQ(types(all).find(table, TypeNamespace::Ordinary, "far", ""), nullptr);
}

TEST_F(BtfOfOneFile, CircularTypesAreVoid)
{
    btf__add_typedef(core_, "first", 2);
    btf__add_typedef(core_, "second", 1);
    btf__add_ptr(core_, 3);
    btf__add_typedef(core_, "third", 3);
    // A function type that returns a pointer to itself. The reader must not follow this cycle endlessly.
    btf__add_func_proto(core_, 6);
    btf__add_ptr(core_, 5);
    btf__add_func(core_, "endless", BTF_FUNC_GLOBAL, 5);
    BtfTypes& source = types(bytes());
    EXPECT_EQ(source.find(table, TypeNamespace::Ordinary, "first", "")->kind, TypeKind::Void);
    EXPECT_EQ(source.find(table, TypeNamespace::Ordinary, "third", "")->kind, TypeKind::Void);
    const Type* endless = source.find(table, TypeNamespace::Function, "endless", "");
    EXPECT_EQ(endless->target->target, endless);
}

} // namespace
} // namespace dt
