//! The settings of a match, kept beside its journal so that readers of the results know what was
//! played. The journal's fingerprint, not this file, decides whether a match may be resumed.

use std::io;
use std::path::{Path, PathBuf};

use crate::arena::config::MatchConfig;
use crate::whole_file::write_whole;

/// The file of a match's directory.
pub fn path(dir: &Path) -> PathBuf {
    dir.join("match.json")
}

/// Writes the settings into the match's directory: whole, or not at all.
///
/// # Errors
/// A file that cannot be written.
pub fn save(config: &MatchConfig) -> io::Result<()> {
    let mut text = serde_json::to_vec_pretty(config)?;
    text.push(b'\n');
    write_whole(&path(&config.dir), &text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::sprt::{Model, Sprt};
    use crate::arena::time_control::Limits;
    use std::fs;

    #[test]
    fn settings_come_back_as_they_were() {
        let dir = std::env::temp_dir().join(format!("twofold-snapshot-{}", std::process::id()));
        fs::create_dir_all(&dir).unwrap();
        let config = MatchConfig {
            dir: dir.clone(),
            limits: [Limits {
                clock: Some("40/1:30+0.5".parse().unwrap()),
                ..Limits::default()
            }; 2],
            sprt: Some(Sprt {
                elo0: -1.5,
                elo1: 2.0,
                alpha: 0.05,
                beta: 0.1,
                model: Model::Logistic,
            }),
            ..MatchConfig::default()
        };
        save(&config).unwrap();
        let text = fs::read_to_string(path(&dir)).unwrap();
        fs::remove_dir_all(&dir).unwrap();
        let read: MatchConfig = serde_json::from_str(&text).unwrap();
        assert_eq!(read, config);
    }
}
