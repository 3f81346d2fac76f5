package starter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What bot.toml says about this bot. The referee compares this with its own reading. */
record Manifest(String name, String version, List<String> games) {
  /** Reads bot.toml in the current folder. The referee starts a bot in the bot's own folder. */
  static Manifest read() throws IOException {
    List<String> lines = Files.readAllLines(Path.of("bot.toml"));
    return new Manifest(
        strings(lines, "name").get(0), strings(lines, "version").get(0), strings(lines, "games"));
  }

  /** The strings on the line of a key. This bot needs no more of TOML. */
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
