<?php
// Each line of the referee is a JSON object.

// The index of an action in $message["legal"]. Your thinking goes here.
function choose(int $seed, array $message): int
{
    $x = $seed % 9973 + 7 * $message["number"];
    return $x * $x % 9973 % count($message["legal"]);
}

$seed = 0;
while (($line = fgets(STDIN)) !== false) {
    $message = json_decode($line, true);
    if ($message["type"] === "start") {
        $seed = $message["seed"];
        fwrite(STDOUT, "ready\n");
    } elseif ($message["type"] === "decide") {
        fwrite(STDOUT, choose($seed, $message) . "\n");
    }
}
