// Plays Leduc poker by what `referee games openspiel --schema` says: a view has a `text`, an action an `id` and a `text`. It
// takes the place of json_game.cc in the starter. It raises with a king, and with a pair, and else it calls.
#include "json_game.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <regex>
#include <string>

namespace json_game {
namespace {

using google::protobuf::Struct;

// The field `text` of an object of JSON; empty if it has none.
std::string Text(const std::string& json) {
  Struct object;
  if (!google::protobuf::util::JsonStringToMessage(json, &object).ok()) return "";
  const auto found = object.fields().find("text");
  return found == object.fields().end() ? "" : found->second.string_value();
}

// The rank of a card, such as that after "[Private: "; -1 if it is not seen.
int Rank(const std::string& text, const std::string& card) {
  std::smatch found;
  const std::regex shown("\\[" + card + ": (\\d)\\]");
  return std::regex_search(text, found, shown) ? std::stoi(found.str(1)) / 2 : -1;
}

}  // namespace

std::uint32_t Choose(const referee_bot::v1::Decision& decision) {
  const std::string text = Text(decision.view());
  const int own = Rank(text, "Private");
  const bool raises = own == 2 || own == Rank(text, "Public");
  std::uint32_t chosen = 0;
  for (int index = 0; index < decision.legal_size(); ++index) {
    const std::string action = Text(decision.legal(index));
    if (action == "Call" || (action == "Raise" && raises)) chosen = index;
  }
  return chosen;
}

}  // namespace json_game
