//! Tables as their users have them: built in a folder, opened, asked.

mod damage;
mod odd_games;
mod resume;
mod values;

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use hexmate_movegen::{BuiltIn, Game};
use hexmate_tablebases::{Folder, Material, Rules, Tablebases};

/// The rules of a game, and its tables of these names in a folder, with all that they need.
fn built<G: BuiltIn>(place: &Path, names: &[&str]) -> (Arc<Rules>, Folder) {
    built_of(G::GAME, place, names)
}

/// The same of a game that need not be compiled.
fn built_of<G: Game>(game: G, place: &Path, names: &[&str]) -> (Arc<Rules>, Folder) {
    let rules = Arc::new(Rules::of(game));
    let mut folder = Folder::new(Arc::clone(&rules), place);
    let wanted: Vec<Material> = names.iter().map(|name| material(&rules, name)).collect();
    for plan in folder.plan(&wanted) {
        let stop = AtomicBool::new(false);
        let table = folder.build(&plan, None, &stop, &|_| {}).unwrap();
        assert!(table.bytes() as u64 <= plan.disk, "{plan:?}");
    }
    (rules, folder)
}

fn material(rules: &Rules, name: &str) -> Material {
    Material::parse(rules, name).unwrap()
}

fn opened(rules: &Arc<Rules>, place: &Path) -> Tablebases {
    let (tables, faults) = Tablebases::open(rules, place).unwrap();
    assert!(faults.is_empty(), "{faults:?}");
    tables
}
