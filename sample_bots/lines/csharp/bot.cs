using System;
using System.Collections.Generic;

// Each line has a path and a value, such as "view.seat 1"; a message is all its values by their paths.
static class Bot
{
    // The index of an action, from 0 to legal - 1. Your thinking goes here.
    static long Choose(long seed, Dictionary<string, string> message)
    {
        long x = seed % 9973 + 7 * long.Parse(message["number"]);
        return x * x % 9973 % long.Parse(message["legal"]);
    }

    static void Main()
    {
        var message = new Dictionary<string, string>();
        long seed = 0;
        for (string line; (line = Console.In.ReadLine()) != null;)
        {
            string[] parts = line.Split(new[] { ' ' }, 2);
            if (parts[0] == "type") message.Clear();
            message[parts[0]] = parts[parts.Length - 1];
            if (parts[0] != "go") continue;
            bool starts = message["type"] == "start";
            if (starts) seed = long.Parse(message["seed"]);
            Console.Out.WriteLine(starts ? "ready" : Choose(seed, message).ToString());
            Console.Out.Flush();
        }
    }
}
