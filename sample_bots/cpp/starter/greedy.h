// Agent Avenue by the lead that one turn gives: the choice of --rule greedy. The rule is told in
// greedy.cc.
#pragma once

#include <cstdint>

#include "referee_bot/v1/bot.pb.h"

namespace greedy {

// The index of the action worth most; among equals, the first.
std::uint32_t Choose(const referee_bot::v1::Decision& decision);

}  // namespace greedy
