package starter;

import io.grpc.stub.StreamObserver;
import referee_bot.v1.BotGrpc.BotImplBase;
import referee_bot.v1.BotOuterClass.BotMessage;
import referee_bot.v1.BotOuterClass.Choice;
import referee_bot.v1.BotOuterClass.Decision;
import referee_bot.v1.BotOuterClass.DescribeRequest;
import referee_bot.v1.BotOuterClass.DescribeResponse;
import referee_bot.v1.BotOuterClass.Ready;
import referee_bot.v1.BotOuterClass.RefereeMessage;

/** The loop: answers MatchStart with Ready and Decision with Choice, and nothing else. */
final class BotService extends BotImplBase {
  private static final int PROTOCOL_MINOR = 0;

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
          Choice choice = choose(message.getDecision());
          answers.onNext(BotMessage.newBuilder().setChoice(choice).build());
        }
        default -> {} // Nobody answers MatchEnd, or messages that a later protocol may add.
      }
    }

    private Choice choose(Decision decision) {
      try {
        int index = player.choose(decision);
        return Choice.newBuilder().setDecision(decision.getNumber()).setIndex(index).build();
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
