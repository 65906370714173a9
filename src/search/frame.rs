//! What one ply of the current line remembers, and the principal variation.

use arrayvec::ArrayVec;

use crate::game::{MAX_PLY, Score, Step};
use crate::search::histories::Setting;

/// A principal variation from some ply on.
pub(crate) type Line<M> = ArrayVec<M, MAX_PLY>;

/// One ply of the line being searched.
#[derive(Clone)]
pub(crate) struct Frame<M> {
    /// Corrected static evaluation; `None` in check.
    pub eval: Option<Score>,
    /// The move being searched from here; `None` for a null move.
    pub step: Option<Step>,
    /// That move is quiet, and was judged by `setting`.
    pub judged: bool,
    /// Quiet moves that cut off at this ply lately, the latest first.
    pub killers: [Option<M>; 2],
    /// The move a singular search leaves out.
    pub excluded: Option<M>,
    /// What quiet moves that are tried here are judged by.
    pub setting: Setting,
    /// The best line found from here.
    pub pv: Line<M>,
}

impl<M: Copy + PartialEq> Frame<M> {
    pub fn new() -> Self {
        Frame {
            eval: None,
            step: None,
            judged: false,
            killers: [None; 2],
            excluded: None,
            setting: Setting::NOWHERE,
            pv: Line::new(),
        }
    }

    /// A move is searched from here; is it quiet, and judged by `setting`?
    pub fn enter(&mut self, step: Step, judged: bool) {
        self.step = Some(step);
        self.judged = judged;
    }

    /// The quiet move being searched from here.
    pub fn quiet_step(&self) -> Option<Step> {
        self.step.filter(|_| self.judged)
    }

    /// Remembers a quiet move that cut off.
    pub fn add_killer(&mut self, m: M) {
        if self.killers[0] != Some(m) {
            self.killers = [Some(m), self.killers[0]];
        }
    }
}

/// A stack of frames, one for every ply and one beyond.
pub(crate) fn stack<M: Copy + PartialEq>() -> Vec<Frame<M>> {
    vec![Frame::new(); MAX_PLY + 1]
}

/// The line of `frames[ply]` becomes `m` followed by the line of the next ply.
pub(crate) fn prepend<M: Copy>(frames: &mut [Frame<M>], ply: usize, m: M) {
    let (head, tail) = frames.split_at_mut(ply + 1);
    let pv = &mut head[ply].pv;
    pv.clear();
    pv.push(m);
    let room = pv.remaining_capacity();
    pv.extend(tail[0].pv.iter().copied().take(room));
}
