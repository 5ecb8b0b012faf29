//! Letters of other scripts that look like Latin ones: nobody sees what is wrong with a move that has one.

/// Cyrillic and Greek letters, and what they look like.
const ALIKE: [(char, char); 54] = [
    ('\u{430}', 'a'),
    ('\u{435}', 'e'),
    ('\u{43a}', 'k'),
    ('\u{43e}', 'o'),
    ('\u{440}', 'p'),
    ('\u{441}', 'c'),
    ('\u{443}', 'y'),
    ('\u{445}', 'x'),
    ('\u{455}', 's'),
    ('\u{456}', 'i'),
    ('\u{458}', 'j'),
    ('\u{4bb}', 'h'),
    ('\u{4cf}', 'l'),
    ('\u{501}', 'd'),
    ('\u{51b}', 'q'),
    ('\u{51d}', 'w'),
    ('\u{405}', 'S'),
    ('\u{406}', 'I'),
    ('\u{408}', 'J'),
    ('\u{410}', 'A'),
    ('\u{412}', 'B'),
    ('\u{415}', 'E'),
    ('\u{41a}', 'K'),
    ('\u{41c}', 'M'),
    ('\u{41d}', 'H'),
    ('\u{41e}', 'O'),
    ('\u{420}', 'P'),
    ('\u{421}', 'C'),
    ('\u{422}', 'T'),
    ('\u{423}', 'Y'),
    ('\u{425}', 'X'),
    ('\u{50c}', 'G'),
    ('\u{51a}', 'Q'),
    ('\u{51c}', 'W'),
    ('\u{391}', 'A'),
    ('\u{392}', 'B'),
    ('\u{395}', 'E'),
    ('\u{396}', 'Z'),
    ('\u{397}', 'H'),
    ('\u{399}', 'I'),
    ('\u{39a}', 'K'),
    ('\u{39c}', 'M'),
    ('\u{39d}', 'N'),
    ('\u{39f}', 'O'),
    ('\u{3a1}', 'P'),
    ('\u{3a4}', 'T'),
    ('\u{3a5}', 'Y'),
    ('\u{3a7}', 'X'),
    ('\u{3b1}', 'a'),
    ('\u{3b9}', 'i'),
    ('\u{3ba}', 'k'),
    ('\u{3bd}', 'v'),
    ('\u{3bf}', 'o'),
    ('\u{3c1}', 'p'),
];

/// The Latin letter or the digit that this sign looks like, and is not: also those of full width.
pub(super) fn latin(sign: char) -> Option<char> {
    if let 'Ａ'..='Ｚ' | 'ａ'..='ｚ' | '０'..='９' = sign {
        return char::from_u32(u32::from(sign) - (u32::from('Ａ') - u32::from('A')));
    }
    let found = ALIKE.iter().find(|(other, _)| *other == sign);
    found.map(|&(_, latin)| latin)
}
