//! Lines out of a stream of bytes that may be anything: endless lines, no text at all.

use std::io::{self, BufRead};
use std::time::Instant;

/// Longer lines are cut; no protocol has use for them.
pub const LONGEST: usize = 64 * 1024;

/// Calls `take` with each line and the time at which its end arrived, until the stream ends. A
/// carriage return at the end goes, bytes that are no UTF-8 are replaced, and what follows the
/// first [`LONGEST`] bytes of a line is dropped as it comes, so that memory stays flat. A last
/// line without an end is no line.
///
/// # Errors
/// Those of the stream.
pub fn each_line(
    mut stream: impl BufRead,
    mut take: impl FnMut(Instant, String),
) -> io::Result<()> {
    let mut line: Vec<u8> = Vec::new();
    loop {
        let chunk = match stream.fill_buf() {
            Ok(chunk) => chunk,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let arrival = Instant::now();
        if chunk.is_empty() {
            return Ok(());
        }
        for piece in chunk.split_inclusive(|&byte| byte == b'\n') {
            let text = piece.strip_suffix(b"\n").unwrap_or(piece);
            let room = LONGEST.saturating_sub(line.len());
            line.extend_from_slice(&text[..text.len().min(room)]);
            if text.len() < piece.len() {
                let whole = line.strip_suffix(b"\r").unwrap_or(&line);
                take(arrival, String::from_utf8_lossy(whole).into_owned());
                line.clear();
            }
        }
        let used = chunk.len();
        stream.consume(used);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::io::{BufReader, Cursor};

    fn lines(bytes: &[u8], buffer: usize) -> Vec<String> {
        let mut found = Vec::new();
        let stream = BufReader::with_capacity(buffer, Cursor::new(bytes));
        each_line(stream, |_, line| found.push(line)).unwrap();
        found
    }

    #[test]
    fn lines_are_the_same_whatever_the_chunks() {
        for buffer in 1..20 {
            let found = lines(b"uciok\r\n\nbestmove e2e4\nhalf a li", buffer);
            assert_eq!(found, ["uciok", "", "bestmove e2e4"]);
        }
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(lines(b"a\xff\xfeb\nok\n", 4), ["a\u{fffd}\u{fffd}b", "ok"]);
    }

    #[test]
    fn endless_lines_are_cut() {
        let mut bytes = vec![b'x'; 10 * 1024 * 1024];
        bytes.extend(b"\nbestmove e2e4\n");
        let found = lines(&bytes, 8192);
        assert_eq!(found[0].len(), LONGEST);
        assert_eq!(found[1], "bestmove e2e4");
    }
}
