// Builds a small ELF file with debug information, entry by entry. Tests use it also for debug information that no
// compiler would write.
#pragma once

#include <dwarf.h>
#include <elf.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "test/support/elf_header.hpp"

namespace dt::test {

class DwarfImage {
public:
    static constexpr uint64_t kCode = 0x1000; ///< link-time address of the code, and its offset in the file

    /// Kinds of entries. An entry whose kind ends in "Of" has children; end() follows the last child.
    enum Abbreviation : uint8_t {
        UnitOf = 1,
        Base,
        RecordOf,
        MemberAt,
        Pointer,
        Typedef,
        ArrayOf,
        Range,
        FunctionOf,
        Parameter,
        EnumOf,
        Enumerator,
        Variable,
        Declared,
        Bits,
        TypeArgument,
        VariantPartOf,
        Discriminant,
        VariantOf,
        OtherVariantOf
    };

    explicit DwarfImage(uint8_t language = DW_LANG_C11)
    {
        put32(0); // place for the unit's length, which info() fills in
        put16(4);
        put32(0);
        put8(8);
        begin(UnitOf).put8(language).put64(kCode).put64(0x100);
    }

    /// Begins an entry. Its attributes must follow, in the order of kShapes.
    DwarfImage& begin(Abbreviation which) { return put8(which); }
    DwarfImage& end() { return put8(0); }
    /// Gives a name to the position at which the next entry begins, so that refer() can refer to it.
    DwarfImage& label(const std::string& name)
    {
        labels_[name] = info_.size();
        return *this;
    }
    DwarfImage& refer(const std::string& name)
    {
        references_.emplace_back(info_.size(), name);
        return put32(0);
    }
    DwarfImage& text(std::string_view string)
    {
        info_.insert(info_.end(), string.begin(), string.end());
        return put8(0);
    }
    DwarfImage& put8(uint8_t byte)
    {
        info_.push_back(byte);
        return *this;
    }
    DwarfImage& put16(uint16_t number) { return put8(number & 0xff).put8(number >> 8); }
    DwarfImage& put32(uint32_t number) { return put16(number & 0xffff).put16(number >> 16); }
    DwarfImage& put64(uint64_t number)
    {
        return put32(static_cast<uint32_t>(number)).put32(static_cast<uint32_t>(number >> 32));
    }

    /// Returns the section .debug_info. The target of every reference must have a label.
    std::vector<uint8_t> info() const
    {
        std::vector<uint8_t> bytes = info_;
        bytes.push_back(0); // zero byte that ends the children of the unit
        const auto store = [&](std::size_t at, uint32_t number) { std::memcpy(&bytes[at], &number, sizeof number); };
        store(0, static_cast<uint32_t>(bytes.size() - 4));
        for (const auto& [at, name] : references_)
            store(at, static_cast<uint32_t>(labels_.at(name)));
        return bytes;
    }

    static std::vector<uint8_t> abbreviations()
    {
        static constexpr uint8_t kShapes[] = {UnitOf,
                                              DW_TAG_compile_unit,
                                              1,
                                              DW_AT_language,
                                              DW_FORM_data1,
                                              DW_AT_low_pc,
                                              DW_FORM_addr,
                                              DW_AT_high_pc,
                                              DW_FORM_data8,
                                              0,
                                              0, //
                                              Base,
                                              DW_TAG_base_type,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_encoding,
                                              DW_FORM_data1,
                                              DW_AT_byte_size,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              RecordOf,
                                              DW_TAG_structure_type,
                                              1,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_byte_size,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              MemberAt,
                                              DW_TAG_member,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_data_member_location,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              Pointer,
                                              DW_TAG_pointer_type,
                                              0,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              0,
                                              0, //
                                              Typedef,
                                              DW_TAG_typedef,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              0,
                                              0, //
                                              ArrayOf,
                                              DW_TAG_array_type,
                                              1,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              0,
                                              0, //
                                              Range,
                                              DW_TAG_subrange_type,
                                              0,
                                              DW_AT_upper_bound,
                                              DW_FORM_data8,
                                              0,
                                              0, //
                                              FunctionOf,
                                              DW_TAG_subprogram,
                                              1,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_external,
                                              DW_FORM_flag,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_low_pc,
                                              DW_FORM_addr,
                                              DW_AT_high_pc,
                                              DW_FORM_data8,
                                              0,
                                              0, //
                                              Parameter,
                                              DW_TAG_formal_parameter,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_location,
                                              DW_FORM_exprloc,
                                              0,
                                              0, //
                                              EnumOf,
                                              DW_TAG_enumeration_type,
                                              1,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_byte_size,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              Enumerator,
                                              DW_TAG_enumerator,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_const_value,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              Variable,
                                              DW_TAG_variable,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_external,
                                              DW_FORM_flag,
                                              0,
                                              0, //
                                              Declared,
                                              DW_TAG_structure_type,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_declaration,
                                              DW_FORM_flag,
                                              0,
                                              0, //
                                              Bits,
                                              DW_TAG_member,
                                              0,
                                              DW_AT_name,
                                              DW_FORM_string,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_bit_size,
                                              DW_FORM_data1,
                                              DW_AT_data_bit_offset,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              TypeArgument,
                                              DW_TAG_template_type_parameter,
                                              0,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              0,
                                              0, //
                                              VariantPartOf,
                                              DW_TAG_variant_part,
                                              1,
                                              DW_AT_discr,
                                              DW_FORM_ref4,
                                              0,
                                              0, //
                                              Discriminant,
                                              DW_TAG_member,
                                              0,
                                              DW_AT_type,
                                              DW_FORM_ref4,
                                              DW_AT_data_member_location,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              VariantOf,
                                              DW_TAG_variant,
                                              1,
                                              DW_AT_discr_value,
                                              DW_FORM_data1,
                                              0,
                                              0, //
                                              OtherVariantOf,
                                              DW_TAG_variant,
                                              1,
                                              0,
                                              0, //
                                              0};
        return {std::begin(kShapes), std::end(kShapes)};
    }

    std::vector<char> file() const { return file(info(), abbreviations()); }

    /// Returns an ELF file with these sections and no others.
    static std::vector<char> file(const std::vector<uint8_t>& info, const std::vector<uint8_t>& abbreviations)
    {
        static constexpr char kNames[] = "\0.debug_info\0.debug_abbrev\0.shstrtab";
        std::vector<char> file(sizeof(Elf64_Ehdr) + sizeof(Elf64_Phdr));
        Elf64_Shdr sections[4]{};
        const auto add = [&](Elf64_Shdr& section, uint32_t name, uint32_t type, const void* bytes, std::size_t size) {
            section.sh_name = name;
            section.sh_type = type;
            section.sh_offset = file.size();
            section.sh_size = size;
            section.sh_addralign = 1;
            file.insert(file.end(), static_cast<const char*>(bytes), static_cast<const char*>(bytes) + size);
        };
        add(sections[1], 1, SHT_PROGBITS, info.data(), info.size());
        add(sections[2], 13, SHT_PROGBITS, abbreviations.data(), abbreviations.size());
        add(sections[3], 27, SHT_STRTAB, kNames, sizeof kNames);
        file.resize((file.size() + 7) / 8 * 8);
        Elf64_Ehdr header = elf_header(EM_X86_64, file.size(), 4, 3);
        header.e_phoff = sizeof header;
        header.e_phentsize = sizeof(Elf64_Phdr);
        header.e_phnum = 1;
        const Elf64_Phdr code{PT_LOAD, PF_R | PF_X, kCode, kCode, kCode, 0x100, 0x100, 0x1000};
        std::memcpy(file.data(), &header, sizeof header);
        std::memcpy(file.data() + sizeof header, &code, sizeof code);
        file.insert(file.end(), reinterpret_cast<const char*>(sections),
                    reinterpret_cast<const char*>(sections) + sizeof sections);
        return file;
    }

    /// Returns a file with one entry of each kind: struct node, typedef node_t, enum colour, `node_t *top`, int
    /// pick(struct node *from, long count).
    static DwarfImage sample()
    {
        DwarfImage image;
        image.label("int").begin(Base).text("int").put8(DW_ATE_signed).put8(4);
        image.label("long").begin(Base).text("long int").put8(DW_ATE_signed).put8(8);
        image.label("byte").begin(Base).text("unsigned char").put8(DW_ATE_unsigned_char).put8(1);
        image.label("colour").begin(EnumOf).text("colour").refer("byte").put8(1);
        image.begin(Enumerator).text("RED").put8(0).begin(Enumerator).text("BLUE").put8(200).end();
        image.label("bytes").begin(ArrayOf).refer("byte").begin(Range).put64(7).end();
        image.label("node").begin(RecordOf).text("node").put8(32);
        image.begin(MemberAt).text("next").refer("pointer").put8(0).begin(MemberAt).text("value").refer("int").put8(8);
        image.begin(Bits).text("low").refer("int").put8(3).put8(96).begin(MemberAt).text("colour").refer("colour").put8(
            13);
        image.begin(MemberAt).text("name").refer("bytes").put8(16).end();
        image.label("pointer").begin(Pointer).refer("node");
        image.label("node_t").begin(Typedef).text("node_t").refer("node");
        image.label("pointer_t").begin(Pointer).refer("node_t");
        image.begin(Variable).text("top").refer("pointer_t").put8(1);
        image.label("hidden").begin(Declared).text("hidden").put8(1);
        image.begin(FunctionOf).text("pick").put8(1).refer("int").put64(kCode).put64(0x20);
        image.begin(Parameter)
            .text("from")
            .refer("pointer")
            .put8(1)
            .put8(DW_OP_reg5)
            .begin(Parameter)
            .text("count")
            .refer("long")
            .put8(1)
            .put8(DW_OP_reg4)
            .end();
        return image;
    }

private:
    std::vector<uint8_t> info_;
    std::map<std::string, std::size_t> labels_;
    std::vector<std::pair<std::size_t, std::string>> references_;
};

} // namespace dt::test
