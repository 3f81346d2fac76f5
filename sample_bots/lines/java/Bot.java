import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.util.HashMap;
import java.util.Map;

/** Each line has a path and a value, such as "view.seat 1"; a message is all its values by their paths. */
class Bot {
    /** The index of an action, from 0 to legal - 1. Your thinking goes here. */
    static long choose(long seed, Map<String, String> message) {
        long x = seed % 9973 + 7 * Long.parseLong(message.get("number"));
        return x * x % 9973 % Long.parseLong(message.get("legal"));
    }

    public static void main(String[] arguments) throws Exception {
        Map<String, String> message = new HashMap<>();
        long seed = 0;
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, "UTF-8"));
        for (String line; (line = lines.readLine()) != null;) {
            String[] parts = line.split(" ", 2);
            if (parts[0].equals("type")) message.clear();
            message.put(parts[0], parts[parts.length - 1]);
            if (!parts[0].equals("go")) continue;
            boolean starts = message.get("type").equals("start");
            if (starts) seed = Long.parseLong(message.get("seed"));
            System.out.println(starts ? "ready" : "" + choose(seed, message));
            System.out.flush();
        }
    }
}
