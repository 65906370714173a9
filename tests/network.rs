//! Networks in play: what is kept move by move equals what is made from scratch, on every
//! kernel; files that are no networks are refused.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/process.rs"]
mod process;

use std::sync::Arc;

use twofold::eval::chess::ChessInputs;
use twofold::eval::nnue::{
    Inputs, Kernel, Network, Nnue, OUTPUTS, RawWeights, WeightsError, output_for,
};
use twofold::eval::xiangqi::XiangqiInputs;
use twofold::game::{Evaluator, Game, KeyStream, Notation, Position, Score, Side};
use twofold::games::{Chess, Xiangqi};

const H: usize = 128;
const WALKS: u64 = 20;
const PLIES: usize = 120;

/// Random numbers for tests.
struct Random(KeyStream);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        let (key, rest) = self.0.next();
        self.0 = rest;
        (key.0 % bound as u64) as usize
    }

    fn weight(&mut self, size: i16) -> i16 {
        self.below(2 * size as usize + 1) as i16 - size
    }
}

fn random_weights<I: Inputs>(seed: u64) -> RawWeights<H> {
    let mut random = Random(KeyStream::new(seed));
    let mut row = |size| -> [i16; H] { std::array::from_fn(|_| random.weight(size)) };
    RawWeights {
        rows: (0..I::ROWS).map(|_| row(60)).collect(),
        bias: row(100),
        outputs: std::array::from_fn(|_| [row(300), row(300)]),
        output_biases: [1234; OUTPUTS],
    }
}

fn file<I: Inputs>(weights: &RawWeights<H>) -> Vec<u8> {
    Network::<I, H>::write(weights, 300, "random")
}

/// What the network says of a position for the side to move: the sum of the rows of all pieces,
/// and the output made of it.
fn from_scratch<I: Inputs>(network: &Network<I, H>, position: &I::Position) -> Score {
    let mut men = Vec::new();
    I::each_piece(position, |piece, square| men.push((piece, square)));
    let look = |side: Side| {
        let king = men
            .iter()
            .find(|(piece, _)| I::king_of(*piece) == Some(side));
        let view = I::view(side, king.unwrap().1);
        let mut sums = *network.bias();
        for (piece, square) in &men {
            let row = network.rows()[I::row(side, view, *piece, *square)];
            for (sum, weight) in sums.0.iter_mut().zip(row.0) {
                *sum += weight;
            }
        }
        sums
    };
    let own = position.side_to_move();
    let looks = [&look(own), &look(!own)];
    let output = network.output(Kernel::PORTABLE, looks, output_for(men.len()));
    let clock = i32::from(position.halfmove_clock());
    Score(output * (I::FADE - clock).max(0) / I::FADE).clamp_eval()
}

/// Walks at random, takes moves back now and then, asks for an evaluation now and then, so that
/// lazy plies pile up.
fn walk<I: Inputs>(fens: &[&str])
where
    I::Position: Notation,
{
    let network = Network::<I, H>::read(&file::<I>(&random_weights::<I>(5))).unwrap();
    let network = Arc::new(network);
    let mut random = Random(KeyStream::new(77));
    let mut compared = 0;
    for kernel in Kernel::all() {
        let mut evaluator = Nnue::with_kernel(network.clone(), kernel);
        for number in 0..WALKS {
            let fen = fens[number as usize % fens.len()];
            let mut position = I::Position::from_fen(fen).unwrap();
            evaluator.reset(&position);
            let mut depth = 0;
            for _ in 0..PLIES {
                let moves = position.legal_moves();
                if depth > 0 && (moves.is_empty() || depth > 60 || random.below(3) == 0) {
                    position.unmake();
                    evaluator.leave();
                    depth -= 1;
                } else if !moves.is_empty() {
                    evaluator.enter();
                    position.make(moves[random.below(moves.len())], &mut evaluator);
                    depth += 1;
                }
                if random.below(3) == 0 {
                    let expected = from_scratch(&network, &position);
                    assert_eq!(evaluator.evaluate(&position), expected, "{}", kernel.name());
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 500, "{compared}");
}

#[test]
fn chess_accumulators_follow_every_kind_of_move() {
    walk::<ChessInputs>(&[
        <Chess as Game>::Position::START_FEN,
        "r3k2r/pP4p1/8/2pP4/8/8/PP4pP/R3K2R w KQkq c6 0 1",
        "1r2k1r1/8/8/8/8/8/8/1R2K1R1 w GBgb - 0 1",
        "4k3/P6P/8/8/8/8/p6p/4K3 w - - 0 1",
    ]);
}

#[test]
fn xiangqi_accumulators_follow_every_kind_of_move() {
    walk::<XiangqiInputs>(&[
        <Xiangqi as Game>::Position::START_FEN,
        "3k5/4a4/8r/4R4/2n6/9/4C4/4B4/9/3AK1B2 w - - 0 1",
    ]);
}

/// The value of a position does not depend on which side plays it, nor (in xiangqi) on left and
/// right.
#[test]
fn mirror_images_are_worth_the_same() {
    let chess =
        Network::<ChessInputs, H>::read(&file::<ChessInputs>(&random_weights::<ChessInputs>(9)));
    let chess = Arc::new(chess.unwrap());
    let value = |fen: &str| {
        let position = <Chess as Game>::Position::from_fen(fen).unwrap();
        let mut evaluator = Nnue::new(chess.clone());
        evaluator.reset(&position);
        evaluator.evaluate(&position)
    };
    let white = value("r3k3/ppp2p2/8/3n4/8/2B5/5PPP/3Q2K1 w - - 0 1");
    assert_eq!(white, value("3q2k1/5ppp/2b5/8/3N4/8/PPP2P2/R3K3 b - - 0 1"));
    assert_eq!(white, value("3k3r/2p2ppp/8/4n3/8/5B2/PPP5/1K2Q3 w - - 0 1"));
    let xiangqi = file::<XiangqiInputs>(&random_weights::<XiangqiInputs>(9));
    let xiangqi = Arc::new(Network::<XiangqiInputs, H>::read(&xiangqi).unwrap());
    let value = |fen: &str| {
        let position = <Xiangqi as Game>::Position::from_fen(fen).unwrap();
        let mut evaluator = Nnue::new(xiangqi.clone());
        evaluator.reset(&position);
        evaluator.evaluate(&position)
    };
    let red = value("3k5/4a4/8r/9/2n6/9/4C4/4B4/9/5K3 w - - 0 1");
    assert_eq!(red, value("5k3/9/4b4/4c4/9/2N6/9/8R/4A4/3K5 b - - 0 1"));
    assert_eq!(red, value("5k3/4a4/r8/9/6n2/9/4C4/4B4/9/3K5 w - - 0 1"));
}

/// The CRC-32 that ends files of networks, bit by bit.
fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, _| match sum & 1 {
        1 => sum >> 1 ^ 0xEDB8_8320,
        _ => sum >> 1,
    };
    !bytes
        .iter()
        .fold(!0, |sum, byte| (0..8).fold(sum ^ u32::from(*byte), step))
}

/// The file of a network of the size that is played with.
fn playable<I: Inputs, const PLAYED: usize>() -> Vec<u8> {
    let mut random = Random(KeyStream::new(3));
    let mut row = || -> [i16; PLAYED] { std::array::from_fn(|_| random.weight(60)) };
    let weights = RawWeights {
        rows: (0..I::ROWS).map(|_| row()).collect(),
        bias: row(),
        outputs: std::array::from_fn(|_| [row(), row()]),
        output_biases: [0; OUTPUTS],
    };
    Network::<I, PLAYED>::write(&weights, 300, "two words")
}

/// Gives an engine a network by this option, then others, good and bad.
fn plays_with_the_file_it_is_given(arguments: &[&str], option: &str, set: &str, bytes: &[u8]) {
    let name = format!("twofold-net-{}-{option}", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, bytes).unwrap();
    let shown = path.to_str().unwrap();
    let mut engine = process::Engine::start(arguments);
    let choose = |engine: &mut process::Engine, file: &str| {
        engine.send(&format!("setoption {set} {file}"));
        engine.sync()
    };
    let is_in_use = |engine: &mut process::Engine| {
        engine.send("eval");
        engine.sync().iter().any(|line| line.contains("two words"))
    };
    let refusal = |file: &str, reason: &str| {
        format!("info string {option}: '{file}': {reason}, keeping '{shown}'")
    };
    assert!(choose(&mut engine, shown).is_empty());
    assert!(is_in_use(&mut engine));
    let foreign = "not a network file of this program";
    assert_eq!(
        choose(&mut engine, "tests/network.rs"),
        [refusal("tests/network.rs", foreign)]
    );
    // What was read stays, whatever becomes of the file: when it is asked for again, ...
    std::fs::write(&path, &bytes[..5000]).unwrap();
    let damaged = refusal(shown, "wrong checksum: the file is damaged");
    let said = choose(&mut engine, shown);
    assert_eq!(said, [damaged]);
    assert!(is_in_use(&mut engine));
    // ... and when the other game was played meanwhile.
    if arguments.is_empty() {
        engine.send("setoption name UCI_Variant value xiangqi");
        engine.send("setoption name UCI_Variant value chess");
        assert!(engine.sync().is_empty());
        assert!(is_in_use(&mut engine));
    }
    std::fs::write(&path, bytes).unwrap();
    assert!(choose(&mut engine, shown).is_empty());
    engine.send("position startpos");
    engine.send("go nodes 500");
    assert!(engine.answer().last().unwrap().starts_with("bestmove "));
    assert!(choose(&mut engine, "<empty>").is_empty());
    assert!(!is_in_use(&mut engine));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn the_engine_plays_with_the_file_it_is_given_and_keeps_it() {
    let chess = playable::<ChessInputs, { twofold::games::CHESS_HIDDEN }>();
    let xiangqi = playable::<XiangqiInputs, { twofold::games::XIANGQI_HIDDEN }>();
    plays_with_the_file_it_is_given(&[], "EvalFile", "name EvalFile value", &chess);
    plays_with_the_file_it_is_given(
        &["uci", "--game", "xiangqi"],
        "EvalFileXiangqi",
        "name EvalFileXiangqi value",
        &xiangqi,
    );
}

#[test]
fn ucci_names_its_own_option_when_it_refuses_a_file() {
    let mut engine = process::Engine::start(&["ucci"]);
    engine.send("setoption evalfile tests/network.rs");
    let said = engine.sync();
    let expected = "evalfile: 'tests/network.rs': not a network file of this program";
    assert!(said.iter().any(|line| line.contains(expected)), "{said:?}");
}

#[test]
fn a_refused_file_leaves_the_choice_before_it() {
    let mut engine = process::Engine::start(&["ucci"]);
    let options = [
        "evalfile hand-crafted",
        "evalfile",
        "evalfile tests/network.rs",
    ];
    for option in options {
        engine.send(&format!("setoption {option}"));
    }
    let said = engine.sync();
    let expected = "keeping the built-in net";
    assert!(said.iter().any(|line| line.ends_with(expected)), "{said:?}");
}

#[test]
fn a_choice_outlasts_the_other_game() {
    let mut engine = process::Engine::start(&[]);
    let mut eval_after = |options: &[&str]| {
        for option in options {
            engine.send(&format!("setoption name {option}"));
        }
        engine.send("eval");
        engine.sync()
    };
    let by_hand = eval_after(&["EvalFile value hand-crafted"]);
    let refused = eval_after(&["EvalFile value /no/such/net"]);
    assert!(refused[0].ends_with("keeping the hand-crafted evaluation"));
    eval_after(&["UCI_Variant value xiangqi"]);
    assert_eq!(eval_after(&["UCI_Variant value chess"]), by_hand);
    let both = [
        "UCI_Variant value xiangqi",
        "EvalFile value <empty>",
        "EvalFile value hand-crafted",
        "EvalFile value /no/such/net",
        "UCI_Variant value chess",
    ];
    let said = eval_after(&both);
    assert!(said[0].ends_with("keeping the hand-crafted evaluation"));
    assert_eq!(said[1..], by_hand);
}

#[test]
fn a_network_comes_back_from_its_file() {
    let bytes = file::<ChessInputs>(&random_weights::<ChessInputs>(1));
    let network = Network::<ChessInputs, H>::read(&bytes).unwrap();
    let info = network.info();
    assert_eq!(info.description, "random");
    assert_eq!((info.scale, network.rows().len()), (300, 768));
    assert_eq!(info.architecture, Network::<ChessInputs, H>::architecture());
}

#[test]
fn what_is_no_network_for_us_is_refused_with_its_reason() {
    type Net = Network<ChessInputs, H>;
    let weights = random_weights::<ChessInputs>(1);
    let bytes = file::<ChessInputs>(&weights);
    let refusal = |bytes: &[u8]| Net::read(bytes).err().unwrap();
    assert_eq!(refusal(b""), WeightsError::Foreign);
    assert_eq!(
        refusal(b"some other file of many bytes"),
        WeightsError::Foreign
    );
    let foreign = file::<XiangqiInputs>(&random_weights::<XiangqiInputs>(1));
    let refused = refusal(&foreign);
    assert!(
        matches!(refused, WeightsError::Architecture { .. }),
        "{refused}"
    );
    let mut later = bytes.clone();
    later[8] = 2;
    assert_eq!(refusal(&later), WeightsError::Version(2));
    assert_eq!(refusal(&bytes[..9]), WeightsError::Foreign);
    for cut in [13, 30, 100, bytes.len() / 2, bytes.len() - 1] {
        assert_eq!(refusal(&bytes[..cut]), WeightsError::Checksum, "{cut}");
    }
    let mut longer = bytes.clone();
    longer.push(0);
    assert_eq!(refusal(&longer), WeightsError::Checksum);
    for at in (10..bytes.len()).step_by(997).chain([10, 13, 60]) {
        let mut changed = bytes.clone();
        changed[at] ^= 4;
        assert_eq!(refusal(&changed), WeightsError::Checksum, "{at}");
    }
    let wrong_sizes = [
        &bytes[..bytes.len() - 6],
        &[&bytes[..bytes.len() - 4], &[0; 2]].concat(),
    ];
    for sound in wrong_sizes {
        let summed = [sound, &crc32(sound).to_le_bytes()].concat();
        let refused = refusal(&summed);
        assert!(matches!(refused, WeightsError::Length { .. }), "{refused}");
    }
    let mut heavy = weights.clone();
    heavy.rows[5][7] = 1100;
    assert_eq!(
        refusal(&file::<ChessInputs>(&heavy)),
        WeightsError::OutOfBounds("input weight")
    );
    let mut heavy = weights.clone();
    heavy.outputs[1][0][3] = 512;
    assert_eq!(
        refusal(&file::<ChessInputs>(&heavy)),
        WeightsError::OutOfBounds("output weight")
    );
    for bias in [i32::MIN, i32::MAX, -100 * 181 * 256 - 1] {
        let mut heavy = weights.clone();
        heavy.output_biases[7] = bias;
        assert_eq!(
            refusal(&file::<ChessInputs>(&heavy)),
            WeightsError::OutOfBounds("output bias")
        );
    }
    for scale in [i32::MIN, -5, 0, 4001] {
        let scaled = Net::write(&weights, scale, "");
        assert_eq!(refusal(&scaled), WeightsError::OutOfBounds("scale"));
    }
}

#[test]
fn a_description_is_one_line() {
    let text = "one\nbestmove a1a1\r\nuciok \u{1b}[2J";
    let bytes = Network::<ChessInputs, H>::write(&random_weights::<ChessInputs>(1), 300, text);
    let network = Network::<ChessInputs, H>::read(&bytes).unwrap();
    let expected = "one bestmove a1a1  uciok  [2J";
    assert_eq!(network.info().description, expected);
}

#[test]
fn net_info_says_whether_a_network_can_be_played_with() {
    let name = format!("twofold-info-{}.net", std::process::id());
    let path = std::env::temp_dir().join(name);
    let info = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let twofold = env!("CARGO_BIN_EXE_twofold");
        let mut command = std::process::Command::new(twofold);
        let output = command.args(["net", "info"]).arg(&path).output().unwrap();
        let text = [output.stdout, output.stderr].concat();
        (output.status.code(), String::from_utf8(text).unwrap())
    };
    let good = playable::<ChessInputs, { twofold::games::CHESS_HIDDEN }>();
    let (code, text) = info(&good);
    assert!(
        code == Some(0) && text.ends_with("playable      yes\n"),
        "{text}"
    );
    let narrow = file::<XiangqiInputs>(&random_weights::<XiangqiInputs>(1));
    let (code, text) = info(&narrow);
    let reason = "playable      no: its architecture is 'xiangqi";
    assert!(code == Some(0) && text.contains(reason), "{text}");
    let (code, text) = info(&good[..good.len() - 1]);
    assert_eq!(code, Some(2));
    assert!(text.contains("wrong checksum"), "{text}");
    std::fs::remove_file(&path).unwrap();
}
