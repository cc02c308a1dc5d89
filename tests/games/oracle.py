"""Slow, independent implementation of the board games: dicts of cells, no bits.

Nothing of `games` is used here, so that a mistake there is not repeated.
"""

from __future__ import annotations

from dataclasses import dataclass

Cell = tuple[int, int]
Board = dict[Cell, str]  # every cell: "W", "B", "x", "."
LETTER = {"white": "W", "black": "B"}
ENEMY = {"W": "B", "B": "W"}
OTHER = {"white": "black", "black": "white"}
EIGHT = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if (dx, dy) != (0, 0)]
FOUR = [(1, 0), (-1, 0), (0, 1), (0, -1)]


def board_of(text: str) -> Board:
    lines = list(reversed(text.split("/")))
    return {(x + 1, y + 1): c for y, line in enumerate(lines) for x, c in enumerate(line)}


def text_of(board: Board) -> str:
    width, height = max(x for x, _ in board), max(y for _, y in board)
    lines = ["".join(board[x, y] for x in range(1, width + 1)) for y in range(height, 0, -1)]
    return "/".join(lines)


def queen(board: Board, cell: Cell) -> list[Cell]:
    found = []
    for dx, dy in EIGHT:
        x, y = cell[0] + dx, cell[1] + dy
        while board.get((x, y)) == ".":
            found.append((x, y))
            x, y = x + dx, y + dy
    return found


def format_action(word: str, *cells: Cell) -> str:
    return " ".join([word, *(f"{x} {y}" for x, y in cells)])


def amazon_moves(board: Board, role: str) -> set[str]:
    own = [cell for cell, piece in board.items() if piece == LETTER[role]]
    return {format_action("move", cell, target) for cell in own for target in queen(board, cell)}


def amazon_plays(board: Board, role: str) -> set[str]:
    found = set()
    for cell in [cell for cell, piece in board.items() if piece == LETTER[role]]:
        for target in queen(board, cell):
            moved = board | {cell: ".", target: LETTER[role]}
            found |= {format_action("play", cell, target, arrow) for arrow in queen(moved, target)}
            found.add(format_action("play", cell, target, cell))
    return found


@dataclass(frozen=True)
class SlowPincer:
    """Pincer as a list of cells; `left` is how many moves this turn still has."""

    board: Board
    role: str
    moves: int
    left: int = 0
    stepped: Cell | None = None
    over: str | None = None  # the winner, or "draw"

    def own(self, role: str) -> list[Cell]:
        return [cell for cell, piece in self.board.items() if piece == LETTER[role]]

    def steps(self, role: str) -> set[tuple[Cell, Cell]]:
        return {
            (cell, (cell[0] + dx, cell[1] + dy))
            for cell in self.own(role)
            for dx, dy in FOUR
            if self.board.get((cell[0] + dx, cell[1] + dy)) == "."
        }

    def legal(self) -> set[str]:
        if self.over:
            return set()
        return {
            format_action("move", start, end)
            for start, end in self.steps(self.role)
            if start != self.stepped
        }

    def captured(self) -> list[list[Cell]]:
        """Every captured run, found by walking along each row and each column."""
        size = 7
        rows = [[(x, y) for x in range(1, size + 1)] for y in range(1, size + 1)]
        columns = [[(x, y) for y in range(1, size + 1)] for x in range(1, size + 1)]
        found = []
        for line in rows + columns:
            at = 0
            while at < size:
                colour = self.board[line[at]]
                end = at
                while end < size and self.board[line[end]] == colour:
                    end += 1
                if colour in ENEMY:
                    low = self.board[line[at - 1]] if at else "wall"
                    high = self.board[line[end]] if end < size else "wall"
                    jaws = [low, high]
                    enemy = ENEMY[colour]
                    if enemy in jaws and all(jaw in (enemy, "wall") for jaw in jaws):
                        found.append(line[at:end])
                at = end
        return found

    def decided(self) -> str | None:
        white, black = len(self.own("white")), len(self.own("black"))
        more = "white" if white > black else "black" if black > white else "draw"
        if white == 0 or black == 0:
            return more
        if white == black == 1:
            return "draw"
        return more if self.moves >= 50 else None

    def begin(self) -> SlowPincer:
        """This turn begins; it passes if its role cannot move, and nobody's turn is the end."""
        winner = self.decided()
        if winner:
            return SlowPincer(self.board, self.role, self.moves, over=winner)
        role = self.role if self.steps(self.role) else OTHER[self.role]
        if not self.steps(role):
            white, black = len(self.own("white")), len(self.own("black"))
            winner = "white" if white > black else "black" if black > white else "draw"
            return SlowPincer(self.board, self.role, self.moves, over=winner)
        left = 2 if len(self.own(role)) >= 2 else 1
        return SlowPincer(self.board, role, self.moves, left)

    def play(self, start: Cell, end: Cell) -> SlowPincer:
        board = self.board | {start: ".", end: LETTER[self.role]}
        taken = {cell for run in SlowPincer(board, self.role, 0).captured() for cell in run}
        board |= dict.fromkeys(taken, ".")
        stepped = None if end in taken else end
        after = SlowPincer(board, self.role, self.moves + 1, self.left - 1, stepped)
        winner = after.decided()
        if winner:
            return SlowPincer(board, self.role, after.moves, over=winner)
        if after.left and after.legal():
            return after
        return SlowPincer(board, OTHER[self.role], after.moves).begin()
