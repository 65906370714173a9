//! Records as they come out, and read back.

use super::*;
use crate::arena::outcome::Termination;
use crate::arena::pgn_reader;
use crate::game::Outcome;

fn played(record: &str, own: &str) -> Played {
    Played {
        record: record.to_owned(),
        own: own.to_owned(),
        players: [own.to_owned(), own.to_owned()],
    }
}

fn finish() -> Finish {
    Finish {
        outcome: Some(Outcome::Win(Side::Second)),
        termination: Termination::IllegalMove,
        text: "White makes an illegal move: {e9}".to_owned(),
    }
}

fn game<'a>(
    game: GameKind,
    moves: &'a [Played],
    facts: &'a [MoveFacts],
    finish: &'a Finish,
) -> GameText<'a> {
    GameText {
        game,
        names: ["A", "B \"x\""],
        time_controls: ["1+0.1".to_owned(), "1+0.1".to_owned()],
        event: "test",
        site: "here",
        round: 3,
        tags: vec![("GameNumber", "5".to_owned())],
        started: SystemTime::UNIX_EPOCH,
        ended: SystemTime::UNIX_EPOCH + Duration::from_secs(65),
        start_fen: None,
        moves,
        facts,
        finish,
        min: false,
        notation: match game {
            GameKind::Xiangqi => RecordNotation::Iccs,
            GameKind::Chess | GameKind::Chess960 => RecordNotation::San,
        },
        mate_unit: MateUnit::Plies,
    }
}

fn facts(score: Option<ReportedScore>) -> MoveFacts {
    MoveFacts {
        score,
        depth: Some(12),
        time: Duration::from_millis(512),
        ..MoveFacts::default()
    }
}

#[test]
fn a_chess_game_is_written() {
    let moves = [
        played("e4", "e2e4"),
        played("e5", "e7e5"),
        played("Nf3", "g1f3"),
    ];
    let facts = [
        MoveFacts {
            is_book: true,
            ..MoveFacts::default()
        },
        facts(Some(ReportedScore::Centipawns(35))),
        facts(None),
    ];
    let finish = finish();
    let text = pgn(&game(GameKind::Chess, &moves, &facts, &finish));
    assert!(text.contains("[Black \"B \\\"x\\\"\"]\n"), "{text}");
    assert!(
        text.contains("[Date \"1970.01.01\"]\n[Round \"3\"]"),
        "{text}"
    );
    assert!(text.contains("[GameDuration \"00:01:05\"]"), "{text}");
    assert!(text.contains("[Termination \"illegal move\"]"), "{text}");
    assert!(
        text.contains("1. e4 {book} 1... e5 {+0.35/12 0.512s} 2. Nf3"),
        "{text}"
    );
    assert!(text.contains("{0.512s, White makes an"), "{text}");
    assert!(text.ends_with("(e9)} 0-1\n\n"), "{text}");
    let read = pgn_reader::games(&text);
    let texts: Vec<&str> = read[0].moves.iter().map(|m| m.text.as_str()).collect();
    assert_eq!(texts, ["e4", "e5", "Nf3"]);
}

#[test]
fn a_xiangqi_game_has_its_own_tags_and_moves() {
    let moves = [played("h2e2", "h2e2"), played("h9g7", "h9g7")];
    let finish = finish();
    let mut game = game(GameKind::Xiangqi, &moves, &[], &finish);
    game.min = true;
    let text = pgn(&game);
    assert!(text.starts_with("[Game \"Chinese Chess\"]\n"), "{text}");
    assert!(
        text.contains("[Red \"A\"]") && text.contains("[Format \"ICCS\"]"),
        "{text}"
    );
    assert!(text.ends_with("\n\n1. H2-E2 H9-G7 0-1\n\n"), "{text}");
}

#[test]
fn a_game_that_black_begins_counts_from_the_fen() {
    let moves = [played("Kd7", "e8d7"), played("Kd2", "e1d2")];
    let finish = finish();
    let mut game = game(GameKind::Chess, &moves, &[], &finish);
    game.start_fen = Some("4k3/8/8/8/8/8/8/4K2R b - - 4 17");
    game.min = true;
    assert!(pgn(&game).ends_with("\n\n17... Kd7 18. Kd2 0-1\n\n"));
}

#[test]
fn moves_are_written_as_asked() {
    let moves = [
        played("Nf3", "g1f3"),
        played("Nbxd2+", "b1d2"),
        played("exd8=Q#", "e7d8"),
        played("e4", "e2e4"),
        played("O-O", "e1g1"),
        played("N1f3", "g1f3"),
    ];
    let finish = finish();
    let written = |notation| {
        let mut game = game(GameKind::Chess, &moves, &[], &finish);
        game.notation = notation;
        game.min = true;
        let text = pgn(&game);
        text.trim_end().lines().last().unwrap().to_owned()
    };
    assert_eq!(
        written(RecordNotation::Lan),
        "1. Ng1-f3 Nb1xd2+ 2. e7xd8=Q# e2-e4 3. O-O Ng1-f3 0-1"
    );
    assert_eq!(
        written(RecordNotation::Uci),
        "1. g1f3 b1d2 2. e7d8 e2e4 3. e1g1 g1f3 0-1"
    );
    let moves = [played("C2=5", "h2e2")];
    let mut game = game(GameKind::Xiangqi, &moves, &[], &finish);
    game.notation = RecordNotation::Wxf;
    game.min = true;
    let text = pgn(&game);
    assert!(text.contains("[Format \"WXF\"]"), "{text}");
    assert!(text.ends_with("\n1. C2=5 0-1\n\n"), "{text}");
}

#[test]
fn mates_and_lines_are_written_as_asked() {
    let moves = [played("e4", "e2e4")];
    let mut facts = facts(Some(ReportedScore::Mate(-3)));
    facts.line = Some("info string \"x\" {1}".to_owned());
    let finish = finish();
    let facts = [facts];
    let mut game = game(GameKind::Chess, &moves, &facts, &finish);
    game.mate_unit = MateUnit::Moves;
    let text = pgn(&game);
    assert!(text.contains("{-M3/12 0.512s"), "{text}");
    assert!(
        text.replace('\n', " ")
            .contains("line=\"info string 'x' (1)\""),
        "{text}"
    );
    assert_eq!(score_text(ReportedScore::Mate(3), MateUnit::Moves), "+M3");
}

#[test]
fn scores_are_signed_and_mates_count_plies() {
    for (score, text) in [
        (ReportedScore::Centipawns(35), "+0.35"),
        (ReportedScore::Centipawns(-1205), "-12.05"),
        (ReportedScore::Centipawns(0), "+0.00"),
        (ReportedScore::Mate(3), "+M5"),
        (ReportedScore::Mate(-2), "-M4"),
        (ReportedScore::Mate(0), "-M0"),
    ] {
        assert_eq!(score_text(score, MateUnit::Plies), text);
    }
}

#[test]
fn a_comment_has_all_that_an_engine_tells() {
    let known = MoveFacts {
        nodes: Some(10),
        seldepth: Some(20),
        speed: Some(30),
        table_use: Some(40),
        table_hits: Some(50),
        left: Some(Duration::from_secs(6)),
        ..facts(Some(ReportedScore::Centipawns(5)))
    };
    let all = fact_texts(&known, MateUnit::Plies).join(", ");
    assert_eq!(
        all,
        "+0.05/12 0.512s, n=10, sd=20, nps=30, hashfull=40, tbhits=50, tl=6.000"
    );
}

#[test]
fn stalemate_is_named_where_it_is_a_loss() {
    let stalemate = Finish {
        termination: Termination::Stalemate,
        ..finish()
    };
    let text = |kind| pgn(&game(kind, &[], &[], &stalemate));
    assert!(text(GameKind::Xiangqi).contains("[Termination \"stalemate\"]"));
    assert!(text(GameKind::Chess).contains("[Termination \"normal\"]"));
}
