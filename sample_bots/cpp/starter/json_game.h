// What --rule greedy chooses in the game that `referee new-game` writes. json_game.cc explains it.
#pragma once

#include <cstdint>

#include "referee_bot/v1/bot.pb.h"

namespace json_game {

// The index of the action that fits our card; 0 if the game knows neither cards nor such actions.
std::uint32_t Choose(const referee_bot::v1::Decision& decision);

}  // namespace json_game
