package starter;

import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import com.google.protobuf.ByteString;
import referee_bot.v1.BotOuterClass.Decision;

/**
 * Plays the game that {@code referee new-game} writes. It is an example of a game without a proto:
 * its messages are JSON. It stays with a card of the upper half, and is out with another. {@code
 * referee games NAME --schema} says which fields the messages of a game have.
 */
final class JsonGame {
  private JsonGame() {}

  /** The index of the action that fits our card; 0 if the game knows no such cards or actions. */
  static int choose(Decision decision) {
    JsonObject view = parsed(decision.getView());
    boolean upper =
        view.has("card")
            && view.has("cards")
            && 2 * view.get("card").getAsInt() > view.get("cards").getAsInt();
    String wanted = upper ? "Stay" : "Out";
    for (int index = 0; index < decision.getLegalCount(); index++) {
      JsonObject action = parsed(decision.getLegal(index));
      if (action.has("type") && action.get("type").getAsString().equals(wanted)) {
        return index;
      }
    }
    return 0;
  }

  /** An object of JSON; an empty one if this is no object. */
  private static JsonObject parsed(ByteString json) {
    JsonElement element = JsonParser.parseString(json.toStringUtf8());
    return element.isJsonObject() ? element.getAsJsonObject() : new JsonObject();
  }
}
