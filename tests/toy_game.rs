//! A third, tiny game under the shared search, against plain minimax: Breakthrough on a board of
//! three files and five ranks. Pawns step forward, straight or diagonally, and capture
//! diagonally; whoever reaches the far rank or takes every enemy pawn has won.
//!
//! The loser of a finished game has no moves, which this game calls a loss, as xiangqi does.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::collections::HashMap;
use std::num::NonZeroU16;
use std::time::Instant;

use twofold::game::Depth;
use twofold::game::{
    Arbiter, Ending, Evaluator, FenError, Game, GameId, Key, KeyStream, MoveList, MoveTextError,
    Notation, Observer, Outcome, PackedMove, Position, Reason, Score, Side, SquareSet, Stalemate,
    Step, TextStyle, Verdict, Wanted, WeightsRefused,
};
use twofold::search::{Bound, Info, Limits, Reporter, Searcher, Signals};

const FILES: i32 = 3;
const RANKS: i32 = 5;
const CELLS: usize = (FILES * RANKS) as usize;

const KEYS: [Key; 2 * CELLS + 1] = KeyStream::new(3).take().0;

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
struct ToyMove(NonZeroU16);

impl ToyMove {
    fn new(from: usize, to: usize) -> ToyMove {
        ToyMove(NonZeroU16::new((1 << 8 | to << 4 | from) as u16).unwrap())
    }
    fn from(self) -> usize {
        usize::from(self.0.get() & 15)
    }
    fn to(self) -> usize {
        usize::from(self.0.get() >> 4 & 15)
    }
}

impl PackedMove for ToyMove {
    fn to_bits(self) -> NonZeroU16 {
        self.0
    }
    fn from_bits(bits: NonZeroU16) -> Self {
        ToyMove(bits)
    }
}

#[derive(Clone)]
struct Toy {
    cells: [Option<Side>; CELLS],
    side: Side,
    past: Vec<([Option<Side>; CELLS], Side)>,
}

impl Toy {
    fn new(cells: [Option<Side>; CELLS], side: Side) -> Toy {
        let past = Vec::new();
        Toy { cells, side, past }
    }

    fn count(&self, side: Side) -> i32 {
        self.cells.iter().filter(|c| **c == Some(side)).count() as i32
    }

    fn has_won(&self, side: Side) -> bool {
        let goal = if side == Side::First { RANKS - 1 } else { 0 };
        let there = (0..FILES).any(|f| self.cells[(goal * FILES + f) as usize] == Some(side));
        there || self.count(!side) == 0
    }

    fn targets(&self, from: usize) -> Vec<usize> {
        let (file, rank) = (from as i32 % FILES, from as i32 / FILES);
        let ahead = rank + if self.side == Side::First { 1 } else { -1 };
        let mut targets = Vec::new();
        for f in [file - 1, file, file + 1] {
            if (0..FILES).contains(&f) && (0..RANKS).contains(&ahead) {
                let to = (ahead * FILES + f) as usize;
                let free = self.cells[to].is_none();
                let takes = f != file && self.cells[to] == Some(!self.side);
                if free || takes {
                    targets.push(to);
                }
            }
        }
        targets
    }
}

impl Position for Toy {
    type Move = ToyMove;
    const PIECES: usize = 2;
    const SQUARES: usize = CELLS;
    const LEGAL_GENERATOR: bool = true;
    const STALEMATE: Stalemate = Stalemate::Loss;
    const STRUCTURES: usize = 1;

    fn side_to_move(&self) -> Side {
        self.side
    }
    fn key(&self) -> Key {
        let mut key = self.structure_key(0);
        if self.side == Side::Second {
            key ^= KEYS[2 * CELLS];
        }
        key
    }
    fn likely_key_after(&self, m: ToyMove) -> Key {
        let mut after = self.clone();
        after.make(m, &mut ());
        after.key()
    }
    fn structure_key(&self, _which: usize) -> Key {
        let mut key = Key(0);
        for (sq, side) in self.cells.iter().enumerate() {
            if let Some(side) = side {
                key ^= KEYS[side.index() * CELLS + sq];
            }
        }
        key
    }
    fn halfmove_clock(&self) -> u16 {
        0
    }
    fn clock_left(&self) -> Option<u16> {
        None
    }
    fn in_check(&self) -> bool {
        false
    }
    fn verdict(&self, _ply: usize) -> Verdict {
        Verdict::Open
    }
    fn generate(&self, wanted: Wanted, out: &mut MoveList<ToyMove>) {
        if self.has_won(!self.side) {
            return;
        }
        for from in (0..CELLS).filter(|sq| self.cells[*sq] == Some(self.side)) {
            for to in self.targets(from) {
                let noisy = self.cells[to].is_some();
                if wanted == Wanted::All || noisy == (wanted == Wanted::Noisy) {
                    out.push(ToyMove::new(from, to));
                }
            }
        }
    }
    fn is_pseudo_legal(&self, m: ToyMove) -> bool {
        self.legal_moves().contains(&m)
    }
    fn is_legal(&self, _m: ToyMove) -> bool {
        true
    }
    fn is_noisy(&self, m: ToyMove) -> bool {
        self.cells[m.to()].is_some()
    }
    fn gives_check(&self, _m: ToyMove) -> bool {
        false
    }
    fn step(&self, m: ToyMove) -> Step {
        Step {
            piece: self.side.index() as u8,
            from: m.from() as u8,
            to: m.to() as u8,
            victim: self.cells[m.to()].map(|s| s.index() as u8),
        }
    }
    fn gain(&self, m: ToyMove) -> Score {
        Score(if self.is_noisy(m) { 100 } else { 0 })
    }
    fn see_at_least(&self, m: ToyMove, threshold: Score) -> bool {
        self.gain(m) >= threshold
    }
    fn threatened(&self) -> SquareSet {
        SquareSet::EMPTY
    }
    fn make<O: Observer>(&mut self, m: ToyMove, _seen: &mut O) {
        self.past.push((self.cells, self.side));
        self.cells[m.to()] = self.cells[m.from()].take();
        self.side = !self.side;
    }
    fn unmake(&mut self) {
        (self.cells, self.side) = self.past.pop().unwrap();
    }
    fn make_null(&mut self) {
        self.past.push((self.cells, self.side));
        self.side = !self.side;
    }
    fn unmake_null(&mut self) {
        self.unmake();
    }
    fn null_move_sound(&self) -> bool {
        self.count(self.side) > 2
    }
}

impl Arbiter for Toy {
    fn ending(&self) -> Option<Ending> {
        self.legal_moves().is_empty().then_some(Ending {
            outcome: Outcome::Win(!self.side),
            reason: Reason::Stalemate,
        })
    }
}

/// The board from the first side's home rank up, `a` for the first side's pawns and `b` for the
/// other's, then the side to move.
impl Notation for Toy {
    const START_FEN: &'static str = "aaaaaa...bbbbbb a";

    fn move_number(&self) -> u32 {
        1
    }

    fn from_fen(fen: &str) -> Result<Self, FenError> {
        let side_of = |c| match c {
            'a' => Some(Side::First),
            'b' => Some(Side::Second),
            _ => None,
        };
        let mut cells = [None; CELLS];
        for (cell, c) in cells.iter_mut().zip(fen.chars()) {
            *cell = side_of(c);
        }
        let side = fen.chars().last().and_then(side_of);
        Ok(Toy::new(
            cells,
            side.ok_or(FenError("no side".to_string()))?,
        ))
    }
    fn to_fen(&self, _style: TextStyle) -> String {
        let letter =
            |side: Option<Side>| ".ab".as_bytes()[side.map_or(0, |s| 1 + s.index())] as char;
        let cells: String = self.cells.iter().map(|c| letter(*c)).collect();
        format!("{cells} {}", letter(Some(self.side)))
    }
    fn parse_move(&self, _text: &str, _style: TextStyle) -> Result<ToyMove, MoveTextError> {
        Err(MoveTextError::Malformed)
    }
    fn write_move(&self, m: ToyMove, _style: TextStyle) -> String {
        format!("{}-{}", m.from(), m.to())
    }
    fn diagram(&self, _style: TextStyle) -> String {
        String::new()
    }
    fn checkers_text(&self, _style: TextStyle) -> Vec<String> {
        Vec::new()
    }
}

struct Count;

impl Observer for Count {
    fn put(&mut self, _piece: u8, _square: u8) {}
    fn lift(&mut self, _piece: u8, _square: u8) {}
}

impl Evaluator<Toy> for Count {
    fn reset(&mut self, _position: &Toy) {}
    fn enter(&mut self) {}
    fn leave(&mut self) {}
    fn evaluate(&mut self, position: &Toy) -> Score {
        Score(100 * (position.count(position.side) - position.count(!position.side)))
    }
    fn explain(&mut self, position: &Toy) -> String {
        format!("{}", self.evaluate(position).0)
    }
}

struct ToyGame;

impl Game for ToyGame {
    const ID: GameId = GameId::Chess;
    type Position = Toy;
    type Evaluator = Count;
    type Weights = ();
    fn by_hand() {}
    fn weights(_file: &[u8]) -> Result<(), WeightsRefused> {
        Err(WeightsRefused("nothing to weigh".to_owned()))
    }
    fn evaluator((): &()) -> Count {
        Count
    }
}

type Known = HashMap<([Option<Side>; CELLS], Side), i32>;

/// Plies to the end of the game under best play, positive where the side to move wins.
fn minimax(position: &mut Toy, known: &mut Known) -> i32 {
    let at = (position.cells, position.side);
    if let Some(value) = known.get(&at) {
        return *value;
    }
    let (mut win, mut loss) = (None::<i32>, 0);
    for m in position.legal_moves() {
        position.make(m, &mut ());
        let reply = minimax(position, known);
        position.unmake();
        if reply <= 0 {
            win = Some(win.map_or(1 - reply, |w| w.min(1 - reply)));
        } else {
            loss = loss.max(1 + reply);
        }
    }
    let value = win.unwrap_or(-loss);
    known.insert(at, value);
    value
}

fn search(position: &Toy, searcher: &mut Searcher<ToyGame>, depth: i32) -> (Score, ToyMove) {
    let limits = Limits {
        depth: Some(Depth(depth)),
        ..Limits::default()
    };
    let signals = Signals::new(Instant::now(), false);
    let conclusion = searcher.search(position, &limits, &signals, &mut ());
    (conclusion.score, conclusion.best.unwrap())
}

/// Positions some random plies into the game, by a fixed stream.
fn positions(count: usize) -> Vec<Toy> {
    let mut stream = KeyStream::new(11);
    let mut found = Vec::new();
    while found.len() < count {
        let mut toy = Toy::start();
        let mut random = |below: usize| {
            let (key, next) = stream.next();
            stream = next;
            (key.0 % below as u64) as usize
        };
        for _ in 0..3 + random(6) {
            let moves = toy.legal_moves();
            if moves.is_empty() {
                break;
            }
            toy.make(moves[random(moves.len())], &mut ());
        }
        if !toy.legal_moves().is_empty() {
            found.push(Toy::new(toy.cells, toy.side));
        }
    }
    found
}

#[test]
fn search_finds_the_value_and_a_move_that_keeps_it() {
    let mut known = Known::new();
    for threads in [1, 2] {
        let mut searcher = Searcher::<ToyGame>::new(8, threads).unwrap();
        for toy in positions(25) {
            let truth = minimax(&mut toy.clone(), &mut known);
            let (score, best) = search(&toy, &mut searcher, 24);
            let plies = score
                .mate_plies()
                .unwrap_or_else(|| panic!("unsolved: {score:?}"));
            assert_eq!(
                plies.signum(),
                truth.signum(),
                "{}",
                toy.to_fen(TextStyle::default())
            );
            let mut after = toy.clone();
            after.make(best, &mut ());
            let reply = minimax(&mut after, &mut known);
            assert_eq!(truth > 0, reply <= 0, "the move gives away a win");
        }
    }
}

/// Checks every mate that is announced on the way against the truth.
struct Witness(i32);

impl Reporter<ToyMove> for Witness {
    fn info(&mut self, info: &Info<'_, ToyMove>) {
        if let (Some(plies), Bound::Exact) = (info.score.mate_plies(), info.bound) {
            assert_eq!(plies > 0, self.0 > 0, "a win is announced for the loser");
            assert!(self.0 < 0 || plies >= self.0, "no win is so short");
            assert_eq!(
                info.pv.len() as i32,
                plies.abs(),
                "the line ends with the game"
            );
        }
    }
}

#[test]
fn every_announced_end_is_true_and_the_last_one_is_exact() {
    let mut known = Known::new();
    let limits = Limits {
        depth: Some(Depth(26)),
        ..Limits::default()
    };
    for toy in positions(25) {
        let truth = minimax(&mut toy.clone(), &mut known);
        let mut searcher = Searcher::<ToyGame>::new(1, 1).unwrap();
        let signals = Signals::new(Instant::now(), false);
        let score = searcher
            .search(&toy, &limits, &signals, &mut Witness(truth))
            .score;
        assert_eq!(score.mate_plies(), Some(truth));
    }
}

#[test]
fn a_finished_game_has_no_move_to_play() {
    let lost = Toy::from_fen("a..........b..a b").unwrap();
    let mut searcher = Searcher::<ToyGame>::new(1, 1).unwrap();
    let signals = Signals::new(Instant::now(), false);
    let conclusion = searcher.search(&lost, &Limits::default(), &signals, &mut ());
    assert_eq!(
        (conclusion.best, conclusion.score),
        (None, Score::mated_in(0))
    );
}
