#include "player.h"

#include <string_view>

#include "greedy.h"
#include "json_game.h"

namespace {

// The 32-bit FNV-1a hash of the seed and the decision's number (4 bytes, little-endian). It serves
// as a random number that anybody can recompute.
constexpr std::uint32_t Fnv(std::string_view seed, std::uint32_t number) {
  std::uint32_t hash = 2166136261;
  const auto add = [&hash](std::uint8_t byte) { hash = (hash ^ byte) * 16777619; };
  for (const char byte : seed) add(byte);
  for (int shift = 0; shift < 32; shift += 8) add(number >> shift);
  return hash;
}

using namespace std::string_view_literals;
static_assert(Fnv("\x00\x01\x02\x03\x04\x05\x06\x07\x08\x09\x0a\x0b\x0c\x0d\x0e\x0f"sv, 1) ==
              822214484);

}  // namespace

Player::Player(const referee_bot::v1::MatchStart& start, Rule rule)
    : seed_(start.seed()),
      greedy_(rule == Rule::kGreedy && start.game() == "agent-avenue"),
      // The options of a game without a proto are JSON.
      json_(rule == Rule::kGreedy && start.options().substr(0, 1) == "{") {}

std::uint32_t Player::Choose(const referee_bot::v1::Decision& decision) {
  // ---- Your thinking goes here. ----
  // decision.view(), decision.legal() and decision.events() are serialized messages of the game's
  // own proto file, or JSON if the game has none. greedy.cc and json_game.cc show how to read them.
  if (greedy_) return greedy::Choose(decision);
  if (json_) return json_game::Choose(decision);
  return Fnv(seed_, decision.number()) % decision.legal_size();
}
