// Types from BTF, from files that are made here.
#include "libdtrace/world/types_btf.hpp"

#include <bpf/btf.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>

namespace dt {
namespace {

namespace fs = std::filesystem;

/// A core kernel with `struct core { int number; }` and per-CPU variables, and a module with a struct that refers to it.
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
        save(core, "vmlinux");

        btf* module = btf__new_empty_split(core);
        const int pointer = btf__add_ptr(module, record_);
        btf__add_struct(module, "user", 8);
        btf__add_field(module, "core", pointer, 0, 0);
        const int own = btf__add_var(module, "mine", BTF_VAR_GLOBAL_ALLOCATED, pointer);
        btf__add_datasec(module, ".data..percpu", 8);
        btf__add_datasec_var_info(module, own, 0, 8);
        btf__add_var(module, "plain", BTF_VAR_GLOBAL_ALLOCATED, pointer);
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

    const std::string folder_ = testing::TempDir() + "dt_btf_" + std::to_string(reinterpret_cast<uintptr_t>(this));
    int record_ = 0;
    TypeTable table;
    BtfTypes types{folder_};
};

TEST_F(Btf, AModuleReachesTheCoresOwnTypes)
{
    const Type* user = types.find(table, TypeNamespace::Struct, "user", "odd");
    ASSERT_NE(user, nullptr);
    const Type* core = types.find(table, TypeNamespace::Struct, "core", "");
    ASSERT_NE(core, nullptr);
    EXPECT_EQ(user->members()[0].type->target, core);
}

TEST_F(Btf, VariablesHaveTypesInAnOwnNameSpace)
{
    EXPECT_EQ(types.find(table, TypeNamespace::Variable, "busy", "vmlinux"), types.find(table, TypeNamespace::Struct, "core", ""));
    EXPECT_EQ(to_string(types.find(table, TypeNamespace::Variable, "mine", "odd")), "struct core *");
    EXPECT_EQ(types.find(table, TypeNamespace::Variable, "mine", "vmlinux"), nullptr);
    EXPECT_EQ(types.find(table, TypeNamespace::Ordinary, "busy", ""), nullptr);
}

TEST_F(Btf, PerCpuVariablesOfModulesAreInTheirSection)
{
    EXPECT_TRUE(types.is_per_cpu("odd", "mine"));
    EXPECT_FALSE(types.is_per_cpu("odd", "plain"));
    EXPECT_FALSE(types.is_per_cpu("odd", "nosuch"));
    EXPECT_FALSE(types.is_per_cpu("even", "mine"));
}

TEST_F(Btf, OnlyModulesWithAFileAreKnown)
{
    EXPECT_TRUE(types.has_module("odd"));
    EXPECT_TRUE(types.has_module("vmlinux"));
    EXPECT_FALSE(types.has_module("even"));
}

} // namespace
} // namespace dt
