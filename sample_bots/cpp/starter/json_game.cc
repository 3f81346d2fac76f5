// Plays the game that `referee new-game` writes. It is an example of a game without a proto: its
// messages are JSON, which protobuf reads as a Struct. It stays with a card of the upper half, and
// is out with another. `referee games NAME --schema` says which fields the messages of a game have.
#include "json_game.h"

#include <google/protobuf/struct.pb.h>
#include <google/protobuf/util/json_util.h>

#include <string>

namespace json_game {
namespace {

using google::protobuf::Struct;

// An object of JSON; an empty one if this is no object.
Struct Parsed(const std::string& json) {
  Struct object;
  const auto status = google::protobuf::util::JsonStringToMessage(json, &object);
  return status.ok() ? object : Struct();
}

// A number of an object; 0 if it has none of this name.
double Number(const Struct& object, const std::string& name) {
  const auto found = object.fields().find(name);
  return found == object.fields().end() ? 0 : found->second.number_value();
}

}  // namespace

std::uint32_t Choose(const referee_bot::v1::Decision& decision) {
  const Struct view = Parsed(decision.view());
  const std::string wanted = 2 * Number(view, "card") > Number(view, "cards") ? "Stay" : "Out";
  for (int index = 0; index < decision.legal_size(); ++index) {
    const Struct action = Parsed(decision.legal(index));
    const auto type = action.fields().find("type");
    if (type != action.fields().end() && type->second.string_value() == wanted) return index;
  }
  return 0;
}

}  // namespace json_game
