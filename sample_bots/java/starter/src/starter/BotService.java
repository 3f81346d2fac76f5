package starter;

import io.grpc.stub.StreamObserver;
import java.util.HashMap;
import java.util.Map;
import referee_bot.v1.BotGrpc.BotImplBase;
import referee_bot.v1.BotOuterClass.Answers;
import referee_bot.v1.BotOuterClass.Batch;
import referee_bot.v1.BotOuterClass.BotMessage;
import referee_bot.v1.BotOuterClass.Choice;
import referee_bot.v1.BotOuterClass.Decision;
import referee_bot.v1.BotOuterClass.DescribeRequest;
import referee_bot.v1.BotOuterClass.DescribeResponse;
import referee_bot.v1.BotOuterClass.Part;
import referee_bot.v1.BotOuterClass.Ready;
import referee_bot.v1.BotOuterClass.RefereeMessage;

/** The loop: answers MatchStart with Ready, Decision with Choice, and a Batch of them with Answers. */
final class BotService extends BotImplBase {
  private static final int PROTOCOL_MINOR = 2;
  private static final int MAX_BATCH = 1024;

  private final Manifest manifest;
  private final boolean greedy;

  BotService(Manifest manifest, boolean greedy) {
    this.manifest = manifest;
    this.greedy = greedy;
  }

  @Override
  public void describe(DescribeRequest request, StreamObserver<DescribeResponse> answer) {
    answer.onNext(
        DescribeResponse.newBuilder()
            .setName(manifest.name())
            .setVersion(manifest.version())
            .addAllGames(manifest.games())
            .setProtocolMinor(PROTOCOL_MINOR)
            .setMaxParallel(1)
            .setMaxBatch(MAX_BATCH)
            .build());
    answer.onCompleted();
  }

  @Override
  public StreamObserver<RefereeMessage> play(StreamObserver<BotMessage> answers) {
    return new Seat(answers);
  }

  /** One stream: match after match, each with a new player, until the referee closes its side. */
  private final class Seat implements StreamObserver<RefereeMessage> {
    private final StreamObserver<BotMessage> answers;
    private Player player;

    /** The players of a batch, by the numbers of their matches, as long as these last. */
    private final Map<Integer, Player> players = new HashMap<>();

    Seat(StreamObserver<BotMessage> answers) {
      this.answers = answers;
    }

    @Override
    public void onNext(RefereeMessage message) {
      switch (message.getBodyCase()) {
        case MATCH_START -> {
          player = new Player(message.getMatchStart(), greedy);
          answers.onNext(BotMessage.newBuilder().setReady(Ready.getDefaultInstance()).build());
        }
        case DECISION -> {
          Decision decision = message.getDecision();
          Choice.Builder choice =
              Choice.newBuilder()
                  .setDecision(decision.getNumber())
                  .setIndex(choose(player, decision));
          answers.onNext(BotMessage.newBuilder().setChoice(choice).build());
        }
        case BATCH -> {
          Answers said = answersTo(message.getBatch());
          if (said.getMatchCount() > 0 || said.getReadyCount() > 0) {
            answers.onNext(BotMessage.newBuilder().setAnswers(said).build());
          }
        }
        default -> {} // Nobody answers MatchEnd, or messages that a later protocol may add.
      }
    }

    private Answers answersTo(Batch batch) {
      Answers.Builder said = Answers.newBuilder();
      for (Part part : batch.getPartsList()) {
        int match = part.getMatch();
        switch (part.getBodyCase()) {
          case MATCH_START -> {
            players.put(match, new Player(part.getMatchStart(), greedy));
            said.addReady(match);
          }
          case DECISION -> {
            Decision decision = part.getDecision();
            said.addMatch(match).addDecision(decision.getNumber());
            said.addIndex(choose(players.get(match), decision));
          }
          default -> players.remove(match);
        }
      }
      return said.build();
    }

    private static int choose(Player player, Decision decision) {
      try {
        return player.choose(decision);
      } catch (Exception e) {
        // The server prints this and ends the stream. The cause is printed last, where the referee
        // looks.
        throw new IllegalStateException("decision " + decision.getNumber(), e);
      }
    }

    @Override
    public void onCompleted() {
      answers.onCompleted();
    }

    @Override
    public void onError(Throwable cause) {
      // The referee cut the connection. It will end this process, too.
    }
  }
}
