//! As much of the crate's module of this name as a board takes, without its libraries.

/// The index of a cell.
pub type Cell = u8;

/// A set of cells.
#[allow(dead_code)]
pub struct CellSet([bool; 256]);

#[allow(dead_code)]
impl CellSet {
    /// No cell.
    pub const ZERO: CellSet = CellSet([false; 256]);

    /// Puts a cell in or takes it out.
    pub fn set(&mut self, cell: usize, is_in: bool) {
        self.0[cell] = is_in;
    }
}
