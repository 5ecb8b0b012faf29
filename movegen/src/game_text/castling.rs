//! The table `castling`.

use super::check::{Places, letter};
use super::error::GameFault;
use super::geometry::{Array, Geometry};
use super::tree::{Item, Value};
use super::words::{directions, names_of};
use super::{kept, kept_text};
use crate::board::Board;
use crate::quoted::abridged;
use crate::rules::spec::{
    ALL_DIRECTIONS, ANY, CastlingMove, CastlingSpec, Path, PieceSpec, Step, UNLIMITED,
};
use crate::rules::{KING, Kind, PAWN, Piece, Side};
use crate::sets::Cell;

/// The most ways and directions.
const MOST_WAYS: usize = 8;
/// The least and the most empty cells between king and partner.
const GAPS: (i64, i64) = (2, 20);

/// The table as it was read, with the letters of the partners if it names them.
pub(super) struct Castling<'n> {
    pub spec: CastlingSpec,
    pub partners: Option<Item<'n>>,
}

/// Reads the table: `ways`, or `towards`, `gap` and `with`.
pub(super) fn read<'n>(item: &Item<'n>, board: &Board) -> Option<Castling<'n>> {
    if let Value::Truth(false) = item.node.value {
        item.bad("no castling is inherited that could be left out; leave the key out instead");
        return None;
    }
    let mut section = item.section()?;
    let ways = section.get("ways");
    let towards = section.get("towards");
    let gap = section.get("gap");
    let with = section.get("with");
    section.finish();
    match (ways, towards) {
        (Some(ways), None) => {
            if let Some(other) = gap.or(with) {
                other.bad("belongs to 'towards'; with 'ways' leave it out");
                return None;
            }
            Some(Castling {
                spec: CastlingSpec::Ways(kept(read_ways(&ways, board)?)),
                partners: None,
            })
        }
        (None, Some(towards)) => {
            let steps = directions(&towards, MOST_WAYS)?;
            if steps.is_empty() {
                towards.bad("no direction; name those in which the king looks for a partner");
                return None;
            }
            let gap = gap.map_or(Some(GAPS.0), |item| item.number(GAPS.0, GAPS.1))?;
            let Some(with) = with else {
                item.fault(
                    GameFault::MissingKey,
                    "'with' is missing: the letters of the pieces that the king castles with, like \"R\"",
                );
                return None;
            };
            Some(Castling {
                spec: CastlingSpec::Towards {
                    directions: kept(steps),
                    gap: gap as u8,
                },
                partners: Some(with),
            })
        }
        _ => {
            item.bad(
                "give either 'ways', like [\"e1-c1 a1-d1\"], or 'towards' and 'with', like [\"e3\", \"-e3\"] and \"R\"",
            );
            None
        }
    }
}

fn read_ways(item: &Item<'_>, board: &Board) -> Option<Vec<CastlingMove>> {
    let items = item.list("ways to castle")?;
    if items.is_empty() || items.len() > MOST_WAYS {
        let message = format!("{} ways; from 1 to {MOST_WAYS} are possible", items.len());
        item.fault(GameFault::Limit, message);
        return None;
    }
    let mut ways = Vec::new();
    for way in items {
        let text = way.text()?;
        let pair = |text: &str| {
            let (from, to) = text.split_once('-')?;
            let name = |n: &str| Some(kept_text(&board.name(board.parse_cell(n)?)));
            Some((name(from)?, name(to)?))
        };
        let mut words = text.split_whitespace().map(pair);
        match (words.next(), words.next(), words.next()) {
            (Some(Some(king)), Some(Some(partner)), None) => {
                ways.push(CastlingMove { king, partner });
            }
            _ => {
                way.bad(format!(
                    "'{}' is no way to castle: write where the king goes and where its partner goes, in cells of \
                     the board, like 'e1-c1 a1-d1'",
                    abridged(text)
                ));
                return None;
            }
        }
    }
    Some(ways)
}

/// Marks the pieces that the king castles with, by letter or by where they stand at the start.
pub(super) fn mark_partners(
    pieces: &mut [PieceSpec],
    castling: &Castling<'_>,
    board: &Board,
    array: &Array,
) -> Option<()> {
    let mut kinds: Vec<Kind> = Vec::new();
    match castling.spec {
        CastlingSpec::Ways(ways) => {
            for way in ways {
                let cell = board.parse_cell(way.partner.0)?;
                kinds.extend(array[usize::from(cell)].map(|p| p.kind));
            }
        }
        CastlingSpec::Towards { .. } => {
            let item = castling.partners.as_ref()?;
            for letter in item.text()?.chars() {
                let found = pieces.iter().position(|p| char::from(p.letter) == letter);
                match found.map(|k| k as Kind) {
                    Some(kind) if kind > KING && !kinds.contains(&kind) => kinds.push(kind),
                    _ => {
                        item.bad(format!(
                            "'{letter}' is no piece that a king could castle with, or is given twice"
                        ));
                        return None;
                    }
                }
            }
        }
    }
    for kind in kinds {
        pieces[usize::from(kind)].castles = kind > KING;
    }
    Some(())
}

/// The straight line from one cell on.
fn line(game: &Geometry<'_>, from: Cell, steps: &'static [Step]) -> Vec<Cell> {
    let path = Path {
        from: ANY,
        steps,
        reach: UNLIMITED,
    };
    game.walk(from, &path)
}

/// Where a king starts, where it castles to in a direction, and a partner there, which goes to the cell between.
struct Towards {
    king: Cell,
    target: Cell,
    partner: Cell,
    kind: Kind,
    crossed: Cell,
}

/// All castling of the start in these directions, of both sides.
fn castling_towards(
    game: &Geometry<'_>,
    array: &Array,
    directions: &'static [Step],
    gap: u8,
) -> Vec<Towards> {
    let mut found = Vec::new();
    let at = |cell: Cell| array[usize::from(cell)];
    let kings = game.board.cells().iter().copied();
    for king in kings.filter(|&c| at(c).is_some_and(|p| p.kind == KING)) {
        let side = at(king).map(|p| p.side);
        for step in directions {
            let row = line(game, king, std::slice::from_ref(step));
            let far = row.iter().copied().skip(usize::from(gap));
            let partners = far.filter_map(|c| Some((c, at(c)?))).filter(|(_, p)| {
                Some(p.side) == side && game.spec.pieces[usize::from(p.kind)].castles
            });
            // A partner is always farther away than the target.
            found.extend(partners.filter_map(|(partner, piece)| {
                let &[crossed, target, ..] = row.as_slice() else {
                    return None;
                };
                Some(Towards {
                    king,
                    target,
                    partner,
                    kind: piece.kind,
                    crossed,
                })
            }));
        }
    }
    found
}

/// The cells of the pieces that may castle at the start.
pub(super) fn rights(game: &Geometry<'_>, array: &Array) -> Vec<Cell> {
    let mut cells = Vec::new();
    match game.spec.castling {
        None => {}
        Some(CastlingSpec::Ways(ways)) => {
            for way in ways {
                let white = game.board.parse_cell(way.partner.0);
                cells.extend(white);
                cells.extend(white.and_then(|c| game.mirrored(c)));
            }
        }
        Some(CastlingSpec::Towards { directions, gap }) => {
            let all = castling_towards(game, array, directions, gap);
            cells.extend(all.into_iter().map(|castling| castling.partner));
        }
    }
    cells.sort_unstable();
    cells.dedup();
    cells
}

/// That a piece may not stand on the cell where castling takes it.
fn misplaced(game: &Geometry<'_>, kind: Kind, cell: Cell) -> String {
    format!(
        "'{}' may not stand on {}, a cell of colour {}",
        letter(game.spec, kind),
        game.board.name(cell),
        game.board.colour(cell) + 1
    )
}

/// Whether castling is possible as it is described.
pub(super) fn check(game: &Geometry<'_>, array: &Array, places: &Places<'_>) {
    let spec = game.spec;
    let Some(castling) = spec.castling else {
        return;
    };
    for (kind, piece) in spec.pieces.iter().enumerate() {
        let other = spec.mirrored_kind(kind as Kind);
        if piece.castles && !spec.pieces[usize::from(other)].castles {
            places.contradiction(
                &["castling"],
                format!(
                    "the king castles with '{}', but not with '{}', which plays its part for Black",
                    letter(spec, kind as Kind),
                    letter(spec, other)
                ),
            );
            return;
        }
    }
    let leaps = |king: Cell, to: Cell| {
        let walks = game.walks(KING, king);
        walks.iter().any(|(_, cells)| cells.contains(&to))
    };
    match castling {
        CastlingSpec::Towards { directions, gap } => {
            let lost = |&&d: &&Step| !directions.contains(&game.turned(d));
            let lost: Vec<Step> = directions.iter().filter(lost).copied().collect();
            if !lost.is_empty() {
                let turned: Vec<Step> = lost.iter().map(|&d| game.turned(d)).collect();
                let turned = names_of(&turned);
                places.contradiction(
                    &["castling", "towards"],
                    format!(
                        "sides differ: the map to Black's side turns {} into {turned}; add {turned}, or choose another \
                         'other_side'",
                        names_of(&lost)
                    ),
                );
                return;
            }
            for &king in game.board.cells() {
                for &step in directions {
                    let Some(to) = game.after(king, step, 2).filter(|&to| leaps(king, to)) else {
                        continue;
                    };
                    places.contradiction(
                        &["castling", "towards"],
                        format!(
                            "the king on {} goes to {} by an ordinary move, too; castling must lead elsewhere",
                            game.board.name(king),
                            game.board.name(to)
                        ),
                    );
                    return;
                }
            }
            let all = castling_towards(game, array, directions, gap);
            if all.is_empty() {
                places.contradiction(
                    &["castling", "with"],
                    "no such piece stands in these directions from its king at the start, far enough away",
                );
            }
            if let Some(bad) = all.iter().find(|c| !game.stands(KING, c.target)) {
                places.contradiction(
                    &["castling", "towards"],
                    format!(
                        "{}; the king on {} would castle to it",
                        misplaced(game, KING, bad.target),
                        game.board.name(bad.king)
                    ),
                );
            } else if let Some(bad) = all.iter().find(|c| !game.stands(c.kind, c.crossed)) {
                places.contradiction(
                    &["castling", "towards"],
                    format!(
                        "{}; castling would take it there from {}",
                        misplaced(game, bad.kind, bad.crossed),
                        game.board.name(bad.partner)
                    ),
                );
            }
        }
        CastlingSpec::Ways(ways) => {
            let mut known: Vec<(Cell, Cell)> = Vec::new();
            for (i, way) in ways.iter().enumerate() {
                match way_fits(game, array, way) {
                    Ok((king, to)) if known.contains(&(king, to)) => places.contradiction(
                        &["castling", "ways", &i.to_string()],
                        format!(
                            "the king castles to {} in two ways, and a move names only where the king goes; keep one",
                            way.king.1
                        ),
                    ),
                    Ok((_, to)) if leaps(known_king(game, way), to) => places.contradiction(
                        &["castling", "ways", &i.to_string()],
                        format!(
                            "the king goes to {} by an ordinary move, too; castling must lead elsewhere",
                            way.king.1
                        ),
                    ),
                    Ok(pair) => known.push(pair),
                    Err(why) => places.contradiction(&["castling", "ways", &i.to_string()], why),
                }
            }
        }
    }
}

fn known_king(game: &Geometry<'_>, way: &CastlingMove) -> Cell {
    game.board.parse_cell(way.king.0).unwrap_or_default()
}

/// Whether one way is possible; from where to where the king goes.
fn way_fits(
    game: &Geometry<'_>,
    array: &Array,
    way: &CastlingMove,
) -> Result<(Cell, Cell), String> {
    let cell = |name: &str| {
        let cell = game.board.parse_cell(name);
        cell.ok_or_else(|| format!("'{name}' is no cell of the board"))
    };
    let (king, target) = (cell(way.king.0)?, cell(way.king.1)?);
    let (partner, partner_target) = (cell(way.partner.0)?, cell(way.partner.1)?);
    let at = |cell: Cell| array[usize::from(cell)];
    let white_king = Piece {
        kind: KING,
        side: Side::White,
    };
    if at(king) != Some(white_king) {
        return Err(format!(
            "White's king does not start on {}; the cells are White's, Black's follow from the map",
            way.king.0
        ));
    }
    let other = at(partner).filter(|p| p.side == Side::White && p.kind != KING && p.kind != PAWN);
    let Some(other) = other else {
        return Err(format!(
            "no white piece that could castle starts on {}",
            way.partner.0
        ));
    };
    let theirs = |cell: Cell, kind: Kind| {
        let side = Side::Black;
        game.mirrored(cell)
            .is_some_and(|c| at(c) == Some(Piece { kind, side }))
    };
    if !theirs(king, KING) || !theirs(partner, game.spec.mirrored_kind(other.kind)) {
        return Err(
            "Black's king and partner do not start on the counterparts of these cells".to_owned(),
        );
    }
    let lines = ALL_DIRECTIONS
        .iter()
        .map(|d| line(game, king, std::slice::from_ref(d)));
    let between = lines
        .into_iter()
        .find_map(|row| Some(row[..row.iter().position(|&c| c == partner)?].to_vec()));
    let Some(between) = between else {
        return Err(format!(
            "{} and {} are not on one straight line",
            way.king.0, way.partner.0
        ));
    };
    for (to, name) in [(target, way.king.1), (partner_target, way.partner.1)] {
        if !between.contains(&to) {
            return Err(format!(
                "{name} is not between {} and {}; all four cells lie on one line",
                way.king.0, way.partner.0
            ));
        }
    }
    if target == partner_target {
        return Err(format!("king and partner cannot both go to {}", way.king.1));
    }
    for (kind, to) in [(KING, target), (other.kind, partner_target)] {
        if !game.stands(kind, to) {
            return Err(misplaced(game, kind, to));
        }
    }
    Ok((king, target))
}
