package starter;

import com.google.protobuf.InvalidProtocolBufferException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import referee_bot.v1.BotOuterClass.Decision;
import referee_bot.v1.agent_avenue.AgentAvenue.Action;
import referee_bot.v1.agent_avenue.AgentAvenue.Agent;
import referee_bot.v1.agent_avenue.AgentAvenue.Lay;
import referee_bot.v1.agent_avenue.AgentAvenue.MarketCard;
import referee_bot.v1.agent_avenue.AgentAvenue.SideView;
import referee_bot.v1.agent_avenue.AgentAvenue.Slot;
import referee_bot.v1.agent_avenue.AgentAvenue.Take;
import referee_bot.v1.agent_avenue.AgentAvenue.View;

/**
 * Plays Agent Avenue for the best lead of one turn. It is an example of how to read a view and the
 * legal actions.
 *
 * <p>An action is worth the spaces of lead that it gains if the other side gives the answer that is
 * worst for us. The bot chooses the action that is worth most, and the first of equals. A card that
 * we do not see counts as an average card of the whole deck. To keep all numbers whole, worths that
 * depend on such a card are counted 38 times, because the deck has 38 cards.
 */
final class Greedy {
  private static final int DECK = 38;
  private static final int HOME_EVERY = 7;
  private static final int NEVER = -1000;

  private static final Map<Agent, Integer> COPIES =
      Map.of(
          Agent.AGENT_DOUBLE_AGENT, 6,
          Agent.AGENT_ENFORCER, 6,
          Agent.AGENT_CODEBREAKER, 6,
          Agent.AGENT_SABOTEUR, 6,
          Agent.AGENT_DAREDEVIL, 6,
          Agent.AGENT_SENTINEL, 6,
          Agent.AGENT_SIDEKICK, 1,
          Agent.AGENT_MOLE, 1);

  /** How far the first, the second and every later agent of a name moves a pawn. */
  private static final Map<Agent, List<Integer>> STEPS =
      Map.of(
          Agent.AGENT_DOUBLE_AGENT, List.of(-1, 6, -1),
          Agent.AGENT_ENFORCER, List.of(1, 2, 3),
          Agent.AGENT_CODEBREAKER, List.of(0, 0, 0),
          Agent.AGENT_SABOTEUR, List.of(-1, -1, -2),
          Agent.AGENT_DAREDEVIL, List.of(2, 3, 0),
          Agent.AGENT_SENTINEL, List.of(0, 2, 6),
          Agent.AGENT_SIDEKICK, List.of(4, 4, 4),
          Agent.AGENT_MOLE, List.of(-3, -3, -3));

  /** The same for a side that has this card of the market. */
  private static final Map<Agent, Change> CHANGES =
      Map.of(
          Agent.AGENT_DOUBLE_AGENT,
              new Change(MarketCard.MARKET_CARD_SINISTER_TWIN, List.of(-2, 12, -2)),
          Agent.AGENT_ENFORCER, new Change(MarketCard.MARKET_CARD_WATCHTOWER_TWO, List.of(3, 4, 5)),
          Agent.AGENT_CODEBREAKER,
              new Change(MarketCard.MARKET_CARD_SUPERCOMPUTER, List.of(3, 3, 3)),
          Agent.AGENT_SABOTEUR,
              new Change(MarketCard.MARKET_CARD_DISTRACTION_DEVICE, List.of(1, 1, 2)));

  private record Change(MarketCard by, List<Integer> steps) {}

  /** The cards of the market, from the worst to the best. */
  private static final List<MarketCard> MARKET =
      List.of(
          MarketCard.MARKET_CARD_SINISTER_TWIN,
          MarketCard.MARKET_CARD_MASTERPLAN,
          MarketCard.MARKET_CARD_CEASEFIRE,
          MarketCard.MARKET_CARD_WATCHTOWER_TWO,
          MarketCard.MARKET_CARD_DOUBLE_TROUBLE,
          MarketCard.MARKET_CARD_MIND_CONTROL,
          MarketCard.MARKET_CARD_OUTPOST,
          MarketCard.MARKET_CARD_SMOKE_SCREEN,
          MarketCard.MARKET_CARD_SURVEILLANCE_TRUCK,
          MarketCard.MARKET_CARD_SUPERCOMPUTER,
          MarketCard.MARKET_CARD_SECRET_RECRUIT,
          MarketCard.MARKET_CARD_DISTRACTION_DEVICE,
          MarketCard.MARKET_CARD_GETAWAY_CAR,
          MarketCard.MARKET_CARD_SECURITY_SYSTEM,
          MarketCard.MARKET_CARD_SPYCATION,
          MarketCard.MARKET_CARD_LEADER_OF_THE_PACK);

  private final View view;
  private final SideView ourSide;
  private final SideView theirSide;

  /** The index of the action that is worth most. */
  static int choose(Decision decision) throws InvalidProtocolBufferException {
    Greedy greedy = new Greedy(View.parseFrom(decision.getView()));
    int best = 0;
    int most = Integer.MIN_VALUE;
    for (int index = 0; index < decision.getLegalCount(); index++) {
      int worth = greedy.worth(Action.parseFrom(decision.getLegal(index)));
      if (worth > most) {
        most = worth;
        best = index;
      }
    }
    return best;
  }

  private Greedy(View view) {
    this.view = view;
    this.ourSide = view.getSides(view.getSeat() % 2);
    this.theirSide = view.getSides(1 - view.getSeat() % 2);
  }

  private int worth(Action action) {
    return switch (action.getBodyCase()) {
      case PLAY -> ofTwo(action.getPlay().getFaceUp(), action.getPlay().getFaceDown());
      case LAY -> ofLaying(action.getLay());
      case RECRUIT -> ofRecruiting(action.getRecruit().getSlot());
      case TAKE -> ofTaking(action.getTake());
      case CHOOSE -> ofChoosing(action.getChoose().getAgent());
      case RECRUIT_AGAIN ->
          action.getRecruitAgain().getAgain() ? ours(view.getMarket().getReturned()) : 0;
      default -> NEVER;
    };
  }

  /** The other side takes the card that leaves us the smaller gain of lead. */
  private int ofTwo(Agent up, Agent down) {
    return Math.min(ours(up) - theirs(down), ours(down) - theirs(up));
  }

  /**
   * The second card of a team is laid face down beside a known card. When the first is laid, the
   * partner's card is not known yet.
   */
  private int ofLaying(Lay lay) {
    Agent agent = lay.getAgent();
    if (lay.getSlot() == Slot.SLOT_FACE_DOWN) {
      return ofTwo(view.getFaceUp(), agent);
    }
    return Math.min(
        DECK * ours(agent) - average(theirSide), average(ourSide) - DECK * theirs(agent));
  }

  private int ofRecruiting(Slot slot) {
    Agent up = view.getFaceUp();
    return slot == Slot.SLOT_FACE_UP
        ? DECK * ours(up) - average(theirSide)
        : average(ourSide) - DECK * theirs(up);
  }

  /** The place of the card in the order. If either teammate may take it, we take it. */
  private int ofTaking(Take take) {
    boolean ourselves = take.hasTaker() && take.getTaker() == view.getSeat();
    return 2 * MARKET.indexOf(take.getCard()) + (ourselves ? 1 : 0);
  }

  private int ofChoosing(Agent agent) {
    return switch (view.getMarket().getResolving()) {
      case MARKET_CARD_MIND_CONTROL -> theirs(agent);
      case MARKET_CARD_SPYCATION ->
          step(ourSide, agent, count(ourSide, agent) - 1); // The agent leaves our side first.
      default -> ours(agent);
    };
  }

  private int ours(Agent agent) {
    return step(ourSide, agent, count(ourSide, agent));
  }

  private int theirs(Agent agent) {
    return step(theirSide, agent, count(theirSide, agent));
  }

  /** How far an average card of the deck moves a side, times 38. */
  private static int average(SideView side) {
    int sum = 0;
    for (Map.Entry<Agent, Integer> copies : COPIES.entrySet()) {
      Agent agent = copies.getKey();
      sum += copies.getValue() * step(side, agent, count(side, agent));
    }
    return sum;
  }

  private static int count(SideView side, Agent agent) {
    return Collections.frequency(side.getRecruitedList(), agent);
  }

  /** How far an agent moves a side that has so many agents of that name. */
  private static int step(SideView side, Agent agent, int before) {
    Change change = CHANGES.get(agent);
    boolean changed = change != null && side.getOngoingList().contains(change.by());
    int spaces = (changed ? change.steps() : STEPS.get(agent)).get(Math.min(before, 2));
    boolean onHome = (side.getProgress() + spaces) % HOME_EVERY == 0;
    // A Getaway Car moves the pawn 3 spaces farther if it has just moved to a home.
    boolean driven =
        spaces != 0 && onHome && side.getOngoingList().contains(MarketCard.MARKET_CARD_GETAWAY_CAR);
    return driven ? spaces + 3 : spaces;
  }
}
