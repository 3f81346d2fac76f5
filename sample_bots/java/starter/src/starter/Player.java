package starter;

import com.google.protobuf.ByteString;
import referee_bot.v1.BotOuterClass.Decision;
import referee_bot.v1.BotOuterClass.MatchStart;

/** Chooses. A player lives for one match. Keep nothing anywhere else. */
final class Player {
  private final MatchStart start;
  private final boolean greedy;
  private final boolean json;

  Player(MatchStart start, boolean greedy) {
    this.start = start;
    this.greedy = greedy && start.getGame().equals("agent-avenue");
    // The options of a game without a proto are JSON.
    this.json = greedy && start.getOptions().toStringUtf8().startsWith("{");
  }

  /** The index of the chosen action in {@code decision.getLegalList()}. */
  int choose(Decision decision) throws Exception {
    // Your thinking goes here. Greedy shows how to read the view and the actions of a game, and
    // JsonGame those of a game without a proto.
    if (json) {
      return JsonGame.choose(decision);
    }
    return greedy ? Greedy.choose(decision) : byHash(start.getSeed(), decision);
  }

  /**
   * A legal action, as if at random, but the same whenever this match is played again.
   */
  private static int byHash(ByteString seed, Decision decision) {
    return Integer.remainderUnsigned(hash(seed, decision.getNumber()), decision.getLegalCount());
  }

  /**
   * The 32-bit FNV-1a hash of the seed and the number (4 bytes, little-endian). For the seed 0, 1,
   * ..., 15 and the number 1 it is 822214484.
   */
  static int hash(ByteString seed, int number) {
    int hash = 0x811c9dc5;
    for (byte octet : seed) {
      hash = (hash ^ (octet & 0xff)) * 0x01000193;
    }
    for (int shift = 0; shift < 32; shift += 8) {
      hash = (hash ^ (number >>> shift & 0xff)) * 0x01000193;
    }
    return hash;
  }
}
