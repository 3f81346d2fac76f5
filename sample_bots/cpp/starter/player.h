// What the bot chooses when it is asked.
#pragma once

#include <cstdint>
#include <string>

#include "referee_bot/v1/bot.pb.h"

enum class Rule { kFnv, kGreedy };

// One match. The loop makes a new Player for every MatchStart, so nothing is carried over from one
// match to the next.
class Player {
 public:
  Player(const referee_bot::v1::MatchStart& start, Rule rule);

  // The index of the chosen action in decision.legal().
  std::uint32_t Choose(const referee_bot::v1::Decision& decision);

 private:
  std::string seed_;
  bool greedy_;
  bool json_;
};
