// What --rule greedy chooses in Agent Avenue: the best lead of one turn. greedy.cc explains the
// rule.
#pragma once

#include <cstdint>

#include "referee_bot/v1/bot.pb.h"

namespace greedy {

// The index of the action that is worth most. Among equals, the first.
std::uint32_t Choose(const referee_bot::v1::Decision& decision);

}  // namespace greedy
