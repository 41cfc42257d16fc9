#include "dcompiler/sema/prelude.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace dt::sema {

namespace {

// Runtime reference 1.1, the rows marked "D library inline" that need no translator.
constexpr std::pair<std::string_view, std::string_view> kTexts[] = {
    {"cpu", "inline processorid_t cpu = curcpu->cpu_id;"},
    {"pset", "inline psetid_t pset = curcpu->cpu_pset;"},
    {"chip", "inline chipid_t chip = curcpu->cpu_chip;"},
    {"lgrp", "inline lgrp_id_t lgrp = curcpu->cpu_lgrp;"},
    {"cwd", "inline string cwd = d_path(&curthread->fs->pwd);"},
    {"root", "inline string root = d_path(&curthread->fs->root);"},
};

} // namespace

std::string_view prelude_text(std::string_view name)
{
    const auto* found =
        std::find_if(std::begin(kTexts), std::end(kTexts), [name](const auto& entry) { return entry.first == name; });
    return found == std::end(kTexts) ? std::string_view{} : found->second;
}

} // namespace dt::sema
