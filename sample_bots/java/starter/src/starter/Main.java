package starter;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;
import java.net.InetSocketAddress;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Serves a player to the referee. Run as {@code java -jar build/bot.jar [--rule RULE] [ADDRESS]}.
 */
public final class Main {
  private static final Pattern HOST_AND_PORT = Pattern.compile("(.+):(\\d+)");

  public static void main(String[] args) throws Exception {
    String rule = "fnv";
    String address = System.getenv("REFEREE_ADDRESS");
    for (int i = 0; i < args.length; i++) {
      if (args[i].equals("--rule") && i + 1 < args.length) {
        rule = args[++i];
      } else {
        address = args[i];
      }
    }
    if (!rule.matches("fnv|greedy") || address == null || address.startsWith("-")) {
      exit("usage: java -jar build/bot.jar [--rule fnv|greedy] [127.0.0.1:PORT]");
    }
    serve(address, rule.equals("greedy"));
  }

  private static void serve(String address, boolean greedy) throws Exception {
    Matcher part = HOST_AND_PORT.matcher(address);
    if (!part.matches()) {
      exit(address + " is not HOST:PORT; Debian's Netty has no unix sockets");
    }
    Server server =
        NettyServerBuilder.forAddress(
                new InetSocketAddress(part.group(1), Integer.parseInt(part.group(2))))
            .addService(new BotService(Manifest.read(), greedy))
            .intercept(new TokenCheck(System.getenv("REFEREE_TOKEN")))
            .directExecutor() // One thread is enough for the only caller.
            .build()
            .start();
    server.awaitTermination();
  }

  private static void exit(String text) {
    System.err.println(text);
    System.exit(2);
  }

  private Main() {}
}
