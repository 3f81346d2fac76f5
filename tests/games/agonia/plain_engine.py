"""A second, plain engine of Agonía, to compare the program's own one with.

It was written from `docs/rulings/agonia.md`, `docs/seeds.md` and the tables of the box alone, by somebody who had not
read the code in `referee/games/agonia/`. It is not quick, and it checks nothing: it trusts whoever plays it.

A match is one generator. It goes through the rules, yields what it needs (luck or a choice), and goes on when it is
sent. Between two needs the attributes of `PlainMatch` are the whole position.
"""

from typing import Any

from tests.games.agonia.plain_box import (
    ALL_AROUND,
    BARRICADES,
    CARD_NUMBERS,
    CARDS,
    CHARACTERS,
    TOKENS,
    Card,
    Cell,
    Player,
    Token,
    beyond,
    distance,
)
from tests.games.agonia.plain_enemies import Choice, Draw, MatchOver, Needs, Street

WAYS = ((0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1))
"""The ways of a line, from up in the order of a clock."""


class PlainMatch(Street):
    """One match. `characters` are names by seat, or None: luck decides."""

    def __init__(self, board: str, seats: int, rounds: int | None, characters: tuple[str, ...] | None) -> None:
        super().__init__(board, seats, rounds or (10 if seats <= 3 else 12))
        self.named = characters
        self.players: list[Player] = []
        self.order = list(range(seats))
        self.to_come: list[int] = []  # the seats whose turn is now or comes later in this round
        self.asked: dict[str, Any] = {}
        self.deck = [Card(name) for name, table in CARDS.items() for _ in range(table["copies"])]
        self.discards: list[Card] = []
        self.shuffles = self.rounds_on_last = 0
        self.supplied: set[int] = set()
        self.ending = ""

    def play(self) -> Needs[None]:
        """The whole match."""
        try:
            yield from self.set_up()
            while True:
                yield from self.play_round()
        except MatchOver as over:
            self.ending = over.ending
            self.to_come = []

    @property
    def score(self) -> int:
        """What the match counts for tables of results (AG-40)."""
        return 1_000 * (self.round - (self.ending == "entrance")) + self.killed

    def choose(self, seat: int, legal: list[tuple[Any, ...]], **asked: Any) -> Needs[Any]:
        """Ask a seat; the action that it chose."""
        self.asked = asked
        action = yield Choice(seat, legal)
        self.asked = {}
        return action

    # Getting ready (AG-60)

    def set_up(self) -> Needs[None]:
        """All that comes before the first round."""
        names = self.named or tuple((yield from self.shuffle("characters", list(CHARACTERS))))
        self.players = [Player(seat, name) for seat, name in enumerate(names[: self.seats])]
        for player in self.players:
            assert player.weapon
            own = player.weapon.name
            self.deck.remove(next(card for card in self.deck if card.name == own))
        yield from self.decide_who_begins()
        self.counter = 1
        yield from self.choose_starts()
        self.deck = yield from self.shuffle("cards", self.deck)
        for player in self.players:
            yield from self.deal(player)
        self.pile = yield from self.shuffle("tokens", self.pile)

    def decide_who_begins(self) -> Needs[None]:
        """AG-21."""
        rolling, count = list(range(self.seats)), 0
        while len(rolling) > 1:
            count += 1
            dice: tuple[int, ...] = yield Draw(f"first/{count}", 6, len(rolling))
            rolling = [seat for seat, die in zip(rolling, dice, strict=True) if die == max(dice)]
        self.order = [(rolling[0] + later) % self.seats for later in range(self.seats)]

    def choose_starts(self) -> Needs[None]:
        """AG-02."""
        for done, seat in enumerate(self.order):
            taken = [player.cell for player in self.players]
            free = [("go", cell) for cell in self.board.bottom_row if cell not in taken]
            _, self.players[seat].cell = yield from self.choose(seat, free, start={"seats": self.order[done:]})

    def deal(self, player: Player) -> Needs[None]:
        """AG-22."""
        while len(player.hand) < 3:
            card = self.deck.pop(0)
            (self.discards if card["kind"] == "event" else player.hand).append(card)
            yield from self.refill()

    # The cards

    def all_cards(self) -> list[Card]:
        """Every card that can be jammed."""
        placed = [
            card for player in self.players for card in [*player.hand, *([player.weapon] if player.weapon else [])]
        ]
        return [*placed, *self.deck, *self.discards]

    def refill(self) -> Needs[None]:
        """The discards become the deck if there is none (AG-25)."""
        if not self.deck and self.discards:
            self.shuffles += 1
            cards = sorted(self.discards, key=self.by_number)
            self.deck = yield from self.shuffle(f"cards/{self.shuffles}", cards)
            self.discards = []

    @staticmethod
    def by_number(card: Card) -> tuple[int, int]:
        """How cards are sorted that lie open (docs/seeds.md)."""
        return card.jam_sum, CARD_NUMBERS[card.name]

    def discard(self, card: Card) -> Needs[None]:
        self.discards.append(card)
        yield from self.refill()

    def draw(self, player: Player) -> Needs[Card | None]:
        """A card for the hand, or None; an event acts at once (AG-48)."""
        if not self.deck:
            return None
        card = self.deck.pop(0)
        if card["kind"] != "event":
            player.hand.append(card)
            yield from self.refill()
            return card
        yield from self.discard(card)
        yield from self.act_event(card.name, player)
        return None

    def act_event(self, name: str, drawer: Player) -> Needs[None]:
        """AG-56."""
        barricades = [token for token in self.tokens if token.kind in BARRICADES]
        if name == "suministros":
            yield from self.all_draw()
        elif name == "disparo_de_apoyo" and self.enemies:
            yield from self.attack(self.in_order(self.enemies)[:1], CARDS[name]["damage"])
        elif name == "calma_tensa":
            self.calm = True
        elif name == "horda":
            yield from self.horde()
        elif name == "estampida":
            self.stampedes += 1
        elif name == "encasquillada" and drawer.weapon:
            drawer.weapon.jams.add((drawer.seat, False))
        elif name == "derrumbe" and barricades:
            nearest = self.board.place_in_order
            self.tokens.remove(min(barricades, key=lambda token: min(nearest(cell) for cell in token.cells)))

    def all_draw(self) -> Needs[None]:
        """Every player draws a card; when all have drawn, all discard (AG-48)."""
        for seat in self.order:
            yield from self.draw(self.players[seat])
        yield from self.trim(self.order)

    def trim(self, seats: list[int]) -> Needs[None]:
        """Players discard down to their limits, one after the other (AG-25)."""
        while over := [seat for seat in seats if len(self.players[seat].hand) > self.players[seat].limit]:
            player = self.players[over[0]]
            legal = [("discard", face) for face in sorted({card.face for card in player.hand})]
            _, face = yield from self.choose(player.seat, legal, trim={"seats": over})
            yield from self.discard(self.take_from_hand(player, face))

    def take_from_hand(self, player: Player, face: Any) -> Card:
        """A card of the hand leaves it."""
        card = next(card for card in player.hand if card.face == face)
        player.hand.remove(card)
        return card

    # A round

    def play_round(self) -> Needs[None]:
        """The supply, the turns, the enemies' turn, and new enemies."""
        self.round += 1
        self.rolls = 0
        self.rounds_on_last += self.counter == self.last
        self.to_come = list(self.order)
        if self.counter in {3, 6, 9} - self.supplied:
            self.supplied.add(self.counter)
            yield from self.all_draw()
        while self.to_come:
            yield from self.take_turn(self.players[self.to_come[0]])
            self.to_come.pop(0)
        yield from self.advance()
        yield from self.spawn()
        if self.round == 60 or self.rounds_on_last == 30:
            raise MatchOver("siege")

    def take_turn(self, player: Player) -> Needs[None]:
        """One player's turn (AG-23, AG-24)."""
        for card in self.all_cards():
            card.jams = {(seat, ending or seat == player.seat) for seat, ending in card.jams}
        acted = False
        while len(legal := self.turn_actions(player, acted)) > 1 or not acted:
            turn = {"seat": player.seat, "acted": acted}
            action = yield from self.choose(player.seat, legal, turn=turn)
            if action[0] == "end_turn":
                break
            acted = not (yield from self.act(player, action)) or acted
        for card in self.all_cards():
            card.jams.discard((player.seat, True))

    def turn_actions(self, player: Player, acted: bool) -> list[tuple[Any, ...]]:
        """What the player may do."""
        usable = [card for card in player.hand if player.is_free(card) or not acted]
        legal: set[tuple[Any, ...]] = {("end_turn",)}
        legal |= {
            ("throw", card.face, cell) for card in usable if card["kind"] == "area" for cell in self.aims(player, card)
        }
        placing = {card.name: card for card in usable if card["kind"] == "placing"}.values()
        legal |= {("place", card.face, *cells) for card in placing for cells in self.placings(player, card)}
        if acted:
            return list(legal)
        assert player.cell
        taken = [other.cell for other in self.players]
        legal |= {("go", cell) for cell in self.board.walks(player.cell, player.steps) if cell not in taken}
        legal |= {("equip", card.face) for card in player.hand if player.can_equip(card)}
        return [*legal, ("search_deck",), *self.shots(player), *self.exchanges(player)]

    def act(self, player: Player, action: tuple[Any, ...]) -> Needs[bool]:
        """Carry out an action; whether it cost no action."""
        kind, *values = action
        if kind == "go":
            player.cell = values[0]
        elif kind == "equip":
            player.equip(next(card for card in player.hand if card.face == values[0]))
            yield from self.trim([player.seat])
        elif kind == "search_deck":
            yield from self.search(player)
        elif kind == "exchange":
            yield from self.exchange(player, *values)
        elif kind in ("throw", "place"):
            card = self.take_from_hand(player, values[0])
            if kind == "place":
                self.tokens.append(Token(card["places"], tuple(values[1:])))
            yield from self.discard(card)
            if kind == "throw":
                area = [values[1], *(beyond(values[1], way) for way in ALL_AROUND)]
                yield from self.attack_area(area, card["damage"], bool(card["alight"]))
            return player.is_free(card)
        else:
            yield from self.shoot(player, action)
        return False

    # Searching and exchanging

    def search(self, player: Player) -> Needs[None]:
        """Draw two cards, and put what can go there on the table (AG-23)."""
        first = yield from self.draw(player)
        second = yield from self.draw(player)
        faces = [card.face for card in (first, second) if card]
        while True:
            drawn: list[Card] = []  # an equal card of the hand stands for one that has left it
            for face in faces:
                drawn += [card for card in player.hand if card.face == face and card not in drawn][:1]
            legal = sorted({("equip", card.face) for card in drawn if player.can_equip(card)})
            if not legal:
                break
            asked = {"seat": player.seat, "drawn": [card.face for card in sorted(drawn, key=self.by_number)]}
            action = yield from self.choose(player.seat, [*legal, ("keep",)], search=asked)
            if action[0] == "keep":
                break
            player.equip(next(card for card in drawn if card.face == action[1]))
            faces.remove(action[1])
        yield from self.trim([player.seat])

    def exchanges(self, player: Player) -> list[tuple[Any, ...]]:
        """What the player may offer (AG-45)."""
        legal: list[tuple[Any, ...]] = []
        for other in self.players:
            assert player.cell
            assert other.cell
            if distance(player.cell, other.cell) == 1:
                gives = [None, *sorted({card.face for card in player.hand})]
                takes = [None, *sorted({card.face for card in other.hand})]
                legal += [("exchange", other.seat, give, take) for give in gives for take in takes if give or take]
        return legal

    def exchange(self, player: Player, partner: int, gives: Any, takes: Any) -> Needs[None]:
        """AG-45."""
        other = self.players[partner]
        asked = {"seat": player.seat, "partner": partner, "gives": gives, "takes": takes}
        reply = yield from self.choose(partner, [("reply", True), ("reply", False)], answer=asked)
        if reply[1]:
            given = [self.take_from_hand(player, gives)] if gives else []
            player.hand += [self.take_from_hand(other, takes)] if takes else []
            other.hand += given
            yield from self.trim([player.seat, partner])

    # Shooting, throwing and placing

    def reach(self, player: Player, cell: Cell) -> int:
        """How far a cell is from the player."""
        assert player.cell
        return distance(player.cell, cell)

    def weapon_range(self, player: Player) -> range:
        """The distances at which the weapon can shoot at one target."""
        weapon = player.weapon
        assert weapon
        farthest: int = weapon["range"] + sum(card["more_range"] for card in player.joined)
        if weapon["firearm"]:
            farthest += CHARACTERS[player.character].get("firearm_range", 0)
        return range(weapon["nearest"], farthest + 1)

    def line(self, player: Player, way: Cell) -> list[Cell]:
        """The cells that a weapon attacks along a line."""
        assert player.weapon
        assert player.cell
        return [beyond(player.cell, way, steps) for steps in range(1, player.weapon["range"] + 1)]

    def shots(self, player: Player) -> list[tuple[Any, ...]]:
        """What the weapon on the table can be shot at (AG-49, AG-58)."""
        weapon, barrel = player.weapon, self.barrel()
        if not weapon or weapon.jams:
            return []
        if weapon["line"]:
            targets = {enemy.cell for enemy in self.enemies}
            targets |= {cell for token in self.tokens if token.kind in (*BARRICADES, "barril") for cell in token.cells}
            return [("shoot_line", number) for number, way in enumerate(WAYS, 1) if targets & {*self.line(player, way)}]
        in_range = self.weapon_range(player)
        legal: list[tuple[Any, ...]] = [
            ("shoot_enemy", enemy.number) for enemy in self.enemies if self.reach(player, enemy.cell) in in_range
        ]
        return legal + ([("shoot_barrel",)] if barrel and self.reach(player, barrel.cells[0]) in in_range else [])

    def shoot(self, player: Player, action: tuple[Any, ...]) -> Needs[None]:
        """All attacks of one shot of the weapon (AG-58)."""
        weapon = player.weapon
        assert weapon
        yield from self.shoot_once(player, action)
        if weapon["attacks"] == 2 and (legal := self.shots(player)):
            action = yield from self.choose(player.seat, legal, second_shot={"seat": player.seat})
            yield from self.shoot_once(player, action)

    def shoot_once(self, player: Player, action: tuple[Any, ...]) -> Needs[None]:
        """One attack."""
        weapon = player.weapon
        assert weapon
        damage = weapon["damage"] + sum(card["more_damage"] for card in player.joined)
        if action[0] == "shoot_enemy":
            yield from self.attack([enemy for enemy in self.enemies if enemy.number == action[1]], damage)
        elif action[0] == "shoot_barrel":
            yield from self.explode()
        else:
            yield from self.attack_area(self.line(player, WAYS[action[1] - 1]), damage, bool(weapon["alight"]))

    def aims(self, player: Player, card: Card) -> list[Cell]:
        """Where an area card can be thrown (AG-49)."""
        farthest = card["range"] + player.bonus("more_area_range")
        return [cell for cell in self.board.of_enemies if self.reach(player, cell) <= farthest]

    def placings(self, player: Player, card: Card) -> list[tuple[Cell, ...]]:
        """Where a card can place its token (AG-27, AG-57)."""
        kind = card["places"]
        if sum(token.kind == kind for token in self.tokens) == TOKENS[kind]["tokens"]:
            return []
        ground = self.board.street + (self.board.spawn if "spawn" in TOKENS[kind]["ground"] else [])
        near = [cell for cell in ground if self.reach(player, cell) <= card["range"]]
        free = [cell for cell in near if not self.enemy_on(cell) and not self.token_on(cell)]
        if kind in BARRICADES:
            shut = [cell for token in self.tokens if token.kind in BARRICADES for cell in token.cells]
            shut += self.board.spawn + self.board.entrance
            free = [cell for cell in free if all(distance(cell, other) > 1 for other in shut)]
        if TOKENS[kind].get("cells", 1) == 1:
            return [(cell,) for cell in free]
        pairs = [(cell, beyond(cell, way)) for cell in free for way in ((1, 0), (0, 1))]
        return [(one, other) for one, other in pairs if other in free]
