# Each line of the referee is a JSON object.
use strict;
use warnings;
use JSON::PP;

$| = 1;    # without it, answers stay in a buffer
my $seed = 0;

# The index of an action in $message->{legal}. Your thinking goes here.
sub choose {
    my ($message) = @_;
    my $x = $seed % 9973 + 7 * $message->{number};
    return $x * $x % 9973 % @{ $message->{legal} };
}

while (my $line = <STDIN>) {
    my $message = decode_json($line);
    if ($message->{type} eq "start") {
        $seed = $message->{seed};
        print "ready\n";
    }
    elsif ($message->{type} eq "decide") {
        print choose($message), "\n";
    }
}
