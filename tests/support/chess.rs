//! Chess positions to start from.

use super::Random;

/// The six positions that chess programmers count first (chessprogramming wiki, "Perft Results").
pub const USUAL: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
];

/// The start position of Chess960 for any two numbers: White's and Black's arrangements may
/// differ, as in double Fischer random chess.
pub fn shuffled_start(random: &mut Random) -> String {
    let (white, black) = (back_rank(random), back_rank(random));
    let rights = |rank: &str| -> String {
        let rooks = rank.char_indices().filter(|&(_, piece)| piece == 'R');
        rooks.map(|(i, _)| (b'A' + i as u8) as char).collect()
    };
    format!(
        "{}/pppppppp/8/8/8/8/PPPPPPPP/{white} w {}{} - 0 1",
        black.to_ascii_lowercase(),
        rights(&white),
        rights(&black).to_ascii_lowercase(),
    )
}

/// A back rank with the king between the rooks and the bishops on squares of both colours.
fn back_rank(random: &mut Random) -> String {
    let mut rank = ['.'; 8];
    rank[2 * random.below(4)] = 'B';
    rank[2 * random.below(4) + 1] = 'B';
    for piece in ['Q', 'N', 'N'] {
        let free: Vec<usize> = (0..8).filter(|&i| rank[i] == '.').collect();
        rank[free[random.below(free.len())]] = piece;
    }
    let free: Vec<usize> = (0..8).filter(|&i| rank[i] == '.').collect();
    for (&i, piece) in free.iter().zip(['R', 'K', 'R']) {
        rank[i] = piece;
    }
    rank.into_iter().collect()
}
