// sums N: makes N rounds of common library functions: formats, parses, sorts and looks up strings. Prints one number computed from all results.
use std::collections::HashMap;

fn mixed(sum: u64, text: &str) -> u64 {
    text.bytes().fold(sum, |sum, byte| (sum ^ u64::from(byte)).wrapping_mul(0x100000001b3))
}

fn round(number: u64) -> u64 {
    let mut words: Vec<String> = (0..64u64).map(|i| format!("{:x}-{}", (i + number) * 2654435761 % 1000003, i)).collect();
    words.sort();
    let table: HashMap<&str, usize> = words.iter().map(|word| word.as_str()).zip(0..).collect();
    words.iter().fold(number, |sum, word| {
        let (left, right) = word.split_once('-').unwrap();
        let ratio = u64::from_str_radix(left, 16).unwrap() as f64 / (right.parse::<f64>().unwrap() + 1.0);
        mixed(sum, &format!("{} {:.3} {}", word, ratio, table[word.as_str()]))
    })
}

fn main() {
    let rounds: u64 = std::env::args().nth(1).and_then(|word| word.parse().ok()).unwrap_or(1);
    println!("{:016x}", (0..rounds).fold(0, |sum, number| sum ^ round(number)));
}
