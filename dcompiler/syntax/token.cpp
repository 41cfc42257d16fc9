// Table of D's keywords.
#include "dcompiler/syntax/token.hpp"

#include <algorithm>
#include <iterator>

namespace dt::syntax {

namespace {

struct Entry {
    std::string_view text;
    Keyword keyword;
};

// Sorted by text.
constexpr Entry kKeywords[] = {
    {"auto", Keyword::Auto},
    {"break", Keyword::Break},
    {"case", Keyword::Case},
    {"char", Keyword::Char},
    {"const", Keyword::Const},
    {"continue", Keyword::Continue},
    {"counter", Keyword::Counter},
    {"default", Keyword::Default},
    {"do", Keyword::Do},
    {"double", Keyword::Double},
    {"else", Keyword::Else},
    {"enum", Keyword::Enum},
    {"extern", Keyword::Extern},
    {"float", Keyword::Float},
    {"for", Keyword::For},
    {"goto", Keyword::Goto},
    {"if", Keyword::If},
    {"import", Keyword::Import},
    {"inline", Keyword::Inline},
    {"int", Keyword::Int},
    {"long", Keyword::Long},
    {"offsetof", Keyword::Offsetof},
    {"probe", Keyword::Probe},
    {"provider", Keyword::Provider},
    {"register", Keyword::Register},
    {"restrict", Keyword::Restrict},
    {"return", Keyword::Return},
    {"self", Keyword::Self},
    {"short", Keyword::Short},
    {"signed", Keyword::Signed},
    {"sizeof", Keyword::Sizeof},
    {"static", Keyword::Static},
    {"string", Keyword::String},
    {"stringof", Keyword::Stringof},
    {"struct", Keyword::Struct},
    {"switch", Keyword::Switch},
    {"this", Keyword::This},
    {"translator", Keyword::Translator},
    {"typedef", Keyword::Typedef},
    {"union", Keyword::Union},
    {"unsigned", Keyword::Unsigned},
    {"void", Keyword::Void},
    {"volatile", Keyword::Volatile},
    {"while", Keyword::While},
    {"xlate", Keyword::Xlate},
};

} // namespace

Keyword find_keyword(std::string_view text)
{
    const auto* found = std::lower_bound(std::begin(kKeywords), std::end(kKeywords), text,
                                         [](const Entry& entry, std::string_view key) { return entry.text < key; });
    return found != std::end(kKeywords) && found->text == text ? found->keyword : Keyword::None;
}

} // namespace dt::syntax
