//! The 960 arrays of Chess960.

/// The number of arrays.
pub const COUNT: usize = 960;

/// The FEN of an array by its number, 0 to 959, in the numbering of Reinhard Scharnagl, in which
/// the usual one is 518: the remainders of the number place the bishops, the queen, and the
/// knights in turn; rooks and king take what is left. Larger numbers begin again.
pub fn fen(number: usize) -> String {
    /// Places of the knights among the five files that are free by then.
    const KNIGHTS: [[usize; 2]; 10] = [
        [0, 1],
        [0, 2],
        [0, 3],
        [0, 4],
        [1, 2],
        [1, 3],
        [1, 4],
        [2, 3],
        [2, 4],
        [3, 4],
    ];
    let mut files = [' '; 8];
    let mut rest = number % COUNT;
    let mut next = |ways: usize| {
        let way = rest % ways;
        rest /= ways;
        way
    };
    files[2 * next(4) + 1] = 'b';
    files[2 * next(4)] = 'b';
    let free =
        |files: &[char; 8]| -> Vec<usize> { (0..8).filter(|&file| files[file] == ' ').collect() };
    let place = free(&files)[next(6)];
    files[place] = 'q';
    let left = free(&files);
    for knight in KNIGHTS[next(10)] {
        files[left[knight]] = 'n';
    }
    for (file, piece) in free(&files).into_iter().zip("rkr".chars()) {
        files[file] = piece;
    }
    let black: String = files.iter().collect();
    let white = black.to_uppercase();
    format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn known_numbers() {
        let array = |number| fen(number).split('/').next().unwrap().to_owned();
        assert_eq!(array(518), "rnbqkbnr");
        assert_eq!(array(0), "bbqnnrkr");
        assert_eq!(array(959), "rkrnnqbb");
    }

    #[test]
    fn each_is_another_and_obeys_the_rule() {
        let all: BTreeSet<String> = (0..COUNT).map(fen).collect();
        assert_eq!(all.len(), COUNT);
        for text in all {
            let place = |piece| text.find(piece).unwrap();
            let last = |piece| text[..8].rfind(piece).unwrap();
            assert!(place('r') < place('k') && place('k') < last('r'), "{text}");
            assert_ne!(place('b') % 2, last('b') % 2, "{text}");
        }
    }
}
