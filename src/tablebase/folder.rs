//! The tables of a path, checked and ready.

use std::collections::HashMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

use crate::chess::{Board, Move};
use crate::game::{Position, RootAdvice, Tablebase, TablesRefused, Wdl};
use crate::named_file::path_of;
use crate::tablebase::file::{Metric, TableFile};
use crate::tablebase::material::Material;
use crate::tablebase::root;

/// A checked file, its header read again when it is first needed: large collections would fill
/// the memory with headers that are never asked for.
#[derive(Debug)]
struct Source {
    path: PathBuf,
    file: OnceLock<Option<TableFile>>,
}

/// Syzygy tables.
#[derive(Debug, Default)]
pub struct Syzygy {
    sources: HashMap<(Material, Metric), Source>,
    largest: u32,
}

impl Syzygy {
    /// The tables in the folders of a path, which are separated by `;`, and on systems whose paths
    /// have no drives by `:` too. The texts say which files and folders were refused, and why.
    ///
    /// # Errors
    /// When there is no table.
    pub fn open(path: &str) -> Result<(Syzygy, Vec<String>), TablesRefused> {
        let mut tables = Syzygy::default();
        let mut refused = Vec::new();
        let is_separator = |c| c == ';' || c == ':' && cfg!(not(windows));
        for folder in path.split(is_separator).filter(|part| !part.is_empty()) {
            if let Err(text) = tables.add_folder(&resolved(folder), &mut refused) {
                refused.push(format!("'{folder}': {text}"));
            }
        }
        if tables.largest == 0 {
            let why = refused.into_iter().next();
            let why = why.unwrap_or_else(|| format!("no tables in '{path}'"));
            return Err(TablesRefused(why));
        }
        Ok((tables, refused))
    }

    fn add_folder(&mut self, folder: &Path, refused: &mut Vec<String>) -> Result<(), String> {
        let entries = fs::read_dir(folder).map_err(|error| error.to_string())?;
        let mut paths = Vec::new();
        for entry in entries {
            paths.push(entry.map_err(|error| error.to_string())?.path());
        }
        paths.sort();
        for path in paths {
            if let Err(text) = self.add_file(&path) {
                let name = path.file_name().unwrap_or_default().to_string_lossy();
                refused.push(format!("{name}: {text}"));
            }
        }
        Ok(())
    }

    /// Adds a table; files that are none by their ending are left alone.
    fn add_file(&mut self, path: &Path) -> Result<(), String> {
        let extension = path.extension().unwrap_or_default();
        let metrics = [Metric::Wdl, Metric::Dtz];
        let Some(metric) = metrics
            .into_iter()
            .find(|metric| extension == metric.extension())
        else {
            return Ok(());
        };
        let name = path.file_stem().unwrap_or_default().to_string_lossy();
        let material = Material::of_name(&name);
        let material = material.ok_or("not the name of an endgame, such as KRPvKR")?;
        TableFile::open(path, metric, &material).map_err(|refusal| refusal.to_string())?;
        let source = Source {
            path: path.to_owned(),
            file: OnceLock::new(),
        };
        self.sources.entry((material, metric)).or_insert(source);
        if metric == Metric::Wdl {
            self.largest = self.largest.max(material.men() as u32);
        }
        Ok(())
    }

    /// Files of results and of distances.
    pub fn files(&self) -> [usize; 2] {
        [Metric::Wdl, Metric::Dtz].map(|wanted| {
            self.sources
                .keys()
                .filter(|(_, metric)| *metric == wanted)
                .count()
        })
    }

    /// The file of an endgame.
    pub(super) fn file(&self, material: &Material, metric: Metric) -> Option<&TableFile> {
        let source = self.sources.get(&(*material, metric))?;
        let open = || TableFile::open(&source.path, metric, material).ok();
        source.file.get_or_init(open).as_ref()
    }

    pub(super) fn largest_men(&self) -> u32 {
        self.largest
    }
}

/// A relative path counts from the working directory, or else from that of the program.
fn resolved(folder: &str) -> PathBuf {
    let path = path_of(folder);
    if path.exists() {
        return path;
    }
    let beside_program = env::current_exe()
        .ok()
        .and_then(|program| Some(program.parent()?.join(&path)));
    beside_program.filter(|path| path.exists()).unwrap_or(path)
}

impl Tablebase<Board> for Syzygy {
    fn largest(&self) -> u32 {
        self.largest
    }

    fn men(&self, board: &Board) -> u32 {
        board.state().occupied().len() as u32
    }

    fn wdl(&self, board: &Board) -> Option<Wdl> {
        self.wdl_of(board.state())
    }

    fn root(&self, board: &Board, clock_counts: bool) -> Option<Vec<RootAdvice<Move>>> {
        if board.legal_moves().is_empty() {
            return None;
        }
        root::advice(self, board, clock_counts)
    }
}

impl Syzygy {
    /// Plies to the next capture or pawn move with best play, by the sign for whom they are good;
    /// 0 for a draw, beyond 100 where the move-count rule draws. `None` where no table says.
    pub fn distance_to_zeroing(&self, board: &Board) -> Option<i32> {
        self.dtz_of(board.state())
    }
}
