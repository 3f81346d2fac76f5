package starter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Who this bot is, as its bot.toml says. The referee compares the two. */
record Manifest(String name, String version, List<String> games) {
  /** Reads bot.toml in the current folder, which is the bot's own when the referee starts it. */
  static Manifest read() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("bot.toml"));
    return new Manifest(
        strings(lines, "name").get(0), strings(lines, "version").get(0), strings(lines, "games"));
  }

  /** The strings on the line of a key. No more of TOML than that is needed here. */
  private static List<String> strings(List<String> lines, String key) {
    List<String> found = new ArrayList<>();
    for (String line : lines) {
      if (line.matches(key + "\\s*=.*")) {
        String[] parts = line.split("\"");
        for (int i = 1; i < parts.length; i += 2) {
          found.add(parts[i]);
        }
      }
    }
    return found;
  }
}
