// Plays Agent Avenue for the lead that it can gain this turn. It looks no further ahead, and uses
// whole numbers only. An unknown card counts as an average card of the whole deck of 38. Average()
// is 38 times as far as such a card moves a side. Numbers that are compared with it are multiplied
// by 38, too. The rule does not look at winning or losing by the agents before a side.
#include "greedy.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "referee_bot/v1/agent_avenue.pb.h"

namespace greedy {
namespace {

namespace aa = referee_bot::v1::agent_avenue;

// By agent (0 is none): how many there are, and how far the first, second and every later one
// moves.
constexpr int kDeck = 38;
constexpr std::array<int, aa::Agent_ARRAYSIZE> kCopies = {0, 6, 6, 6, 6, 6, 6, 1, 1};
constexpr int kSteps[aa::Agent_ARRAYSIZE][3] = {
    {0, 0, 0},     // none
    {-1, 6, -1},   // Double Agent
    {1, 2, 3},     // Enforcer
    {0, 0, 0},     // Codebreaker: the third wins
    {-1, -1, -2},  // Saboteur
    {2, 3, 0},     // Daredevil: the third loses
    {0, 2, 6},     // Sentinel
    {4, 4, 4},     // Sidekick
    {-3, -3, -3},  // Mole
};

// The ongoing cards that change how far an agent moves.
struct Change {
  aa::MarketCard card;
  aa::Agent agent;
  int steps[3];
};
constexpr Change kChanges[] = {
    {aa::MARKET_CARD_SINISTER_TWIN, aa::AGENT_DOUBLE_AGENT, {-2, 12, -2}},
    {aa::MARKET_CARD_WATCHTOWER_TWO, aa::AGENT_ENFORCER, {3, 4, 5}},
    {aa::MARKET_CARD_SUPERCOMPUTER, aa::AGENT_CODEBREAKER, {3, 3, 3}},
    {aa::MARKET_CARD_DISTRACTION_DEVICE, aa::AGENT_SABOTEUR, {1, 1, 2}},
};

// From the worst to the best.
constexpr aa::MarketCard kMarket[] = {
    aa::MARKET_CARD_SINISTER_TWIN,
    aa::MARKET_CARD_MASTERPLAN,
    aa::MARKET_CARD_CEASEFIRE,
    aa::MARKET_CARD_WATCHTOWER_TWO,
    aa::MARKET_CARD_DOUBLE_TROUBLE,
    aa::MARKET_CARD_MIND_CONTROL,
    aa::MARKET_CARD_OUTPOST,
    aa::MARKET_CARD_SMOKE_SCREEN,
    aa::MARKET_CARD_SURVEILLANCE_TRUCK,
    aa::MARKET_CARD_SUPERCOMPUTER,
    aa::MARKET_CARD_SECRET_RECRUIT,
    aa::MARKET_CARD_DISTRACTION_DEVICE,
    aa::MARKET_CARD_GETAWAY_CAR,
    aa::MARKET_CARD_SECURITY_SYSTEM,
    aa::MARKET_CARD_SPYCATION,
    aa::MARKET_CARD_LEADER_OF_THE_PACK,
};

// By agent, how far the next of that name moves a side.
using Steps = std::array<int, aa::Agent_ARRAYSIZE>;

template <typename Message>
Message Parsed(const std::string& bytes) {
  Message message;
  if (!message.ParseFromString(bytes)) throw std::runtime_error("not a " + message.GetTypeName());
  return message;
}

template <typename Cards>
int Count(const Cards& cards, int card) {
  return std::count(cards.begin(), cards.end(), card);
}

// How far an agent moves a side that has `before` agents of that name.
int Step(const aa::SideView& side, int agent, int before) {
  const int* steps = kSteps[agent];
  for (const Change& change : kChanges) {
    if (change.agent == agent && Count(side.ongoing(), change.card)) steps = change.steps;
  }
  const int spaces = steps[std::min(before, 2)];
  const bool onto_home = spaces != 0 && (side.progress() + spaces) % 7 == 0;
  return onto_home && Count(side.ongoing(), aa::MARKET_CARD_GETAWAY_CAR) ? spaces + 3 : spaces;
}

Steps StepsOf(const aa::SideView& side) {
  Steps steps{};
  for (int agent = aa::Agent_MIN + 1; agent <= aa::Agent_MAX; ++agent) {
    steps[agent] = Step(side, agent, Count(side.recruited(), agent));
  }
  return steps;
}

int Average(const Steps& steps) {
  return std::inner_product(steps.begin(), steps.end(), kCopies.begin(), 0);
}

// What each action is worth at one decision.
class Worth {
 public:
  explicit Worth(const aa::View& view)
      : view_(view),
        side_(view.sides(view.seat() % 2)),
        own_(StepsOf(side_)),
        other_(StepsOf(view.sides(1 - view.seat() % 2))) {}

  int Of(const aa::Action& action) const {
    switch (action.body_case()) {
      case aa::Action::kPlay:
        return OfTwo(action.play().face_up(), action.play().face_down());
      case aa::Action::kLay:
        return OfLay(action.lay());
      case aa::Action::kRecruit:
        return action.recruit().slot() == aa::SLOT_FACE_UP ? TakingUp(view_.face_up())
                                                           : LeavingUp(view_.face_up());
      case aa::Action::kTake:
        return OfTake(action.take());
      case aa::Action::kChoose:
        return OfChoose(action.choose().agent());
      case aa::Action::kRecruitAgain:
        return action.recruit_again().again() ? own_[view_.market().returned()] : 0;
      default:
        return -1000;  // never discard, never hand over
    }
  }

 private:
  // The opponent takes the card that leaves us the smaller gain of lead.
  int OfTwo(int up, int down) const {
    return std::min(own_[up] - other_[down], own_[down] - other_[up]);
  }

  int OfLay(const aa::Lay& lay) const {
    if (lay.slot() == aa::SLOT_FACE_DOWN) return OfTwo(view_.face_up(), lay.agent());
    return std::min(TakingUp(lay.agent()), LeavingUp(lay.agent()));
  }

  // The gain of lead, times 38, if we get the face-up card and the other side gets an unknown one,
  // and if it is the other way round.
  int TakingUp(int up) const { return kDeck * own_[up] - Average(other_); }
  int LeavingUp(int up) const { return Average(own_) - kDeck * other_[up]; }

  int OfTake(const aa::Take& take) const {
    const int place = std::find(std::begin(kMarket), std::end(kMarket), take.card()) - kMarket;
    const bool ourselves = take.has_taker() && take.taker() == view_.seat();
    return 2 * place + ourselves;
  }

  int OfChoose(int agent) const {
    switch (view_.market().resolving()) {
      case aa::MARKET_CARD_MIND_CONTROL:
        return other_[agent];
      case aa::MARKET_CARD_SPYCATION:
        return Step(side_, agent, Count(side_.recruited(), agent) - 1);
      default:
        return own_[agent];
    }
  }

  const aa::View& view_;
  const aa::SideView& side_;
  const Steps own_;
  const Steps other_;
};

}  // namespace

std::uint32_t Choose(const referee_bot::v1::Decision& decision) {
  const auto view = Parsed<aa::View>(decision.view());
  const Worth worth(view);
  std::vector<int> worths;
  for (const std::string& action : decision.legal()) {
    worths.push_back(worth.Of(Parsed<aa::Action>(action)));
  }
  return std::max_element(worths.begin(), worths.end()) - worths.begin();
}

}  // namespace greedy
