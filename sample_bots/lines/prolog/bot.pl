% Each line has a path and a value, such as "view.seat 1"; Message has all values of a message, as Path-Value.
:- initialization(main, main).

main(_) :- play(0, []).

play(Seed, Message) :-
    read_line_to_string(user_input, Line),
    ( Line == end_of_file -> true
    ; Line == "go" -> answer(Seed, Message, Next), play(Next, [])
    ; Line == "over" -> play(Seed, [])
    ; sub_string(Line, At, 1, After, " "), !,
      sub_string(Line, 0, At, _, Path),
      sub_string(Line, _, After, 0, Value),
      play(Seed, [Path-Value|Message])
    ).

answer(_, Message, Seed) :-
    memberchk("type"-"start", Message), !,
    number(Message, "seed", Seed),
    say(ready).
answer(Seed, Message, Seed) :-
    choose(Seed, Message, Index),
    say(Index).

% The index of an action, from 0 to legal - 1. Your thinking goes here.
choose(Seed, Message, Index) :-
    number(Message, "number", Number),
    number(Message, "legal", Legal),
    X is Seed mod 9973 + 7 * Number,
    Index is X * X mod 9973 mod Legal.

number(Message, Path, Number) :- memberchk(Path-Value, Message), number_string(Number, Value).

say(Answer) :- writeln(Answer), flush_output.
