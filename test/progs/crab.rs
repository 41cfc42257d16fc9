// crab: calls functions of Rust with numbers, references, texts, slices and enums once each. Built with debug information.
mod opaque;
use opaque::opaque;

pub struct Point {
    pub x: i32,
    pub y: i32,
}

pub enum Shape {
    Circle { radius: u64 },
    Square(u32, u32),
}

mod inner {
    pub struct Account {
        pub number: u32,
        pub balance: i64,
        pub open: bool,
    }

    impl Account {
        #[inline(never)]
        pub fn deposit(&mut self, amount: i64) -> i64 {
            self.balance += crate::opaque::opaque(amount);
            self.balance
        }
    }
}

#[inline(never)]
fn length(text: &str, more: u8) -> usize {
    opaque(text).len() + opaque(more) as usize
}

#[inline(never)]
fn area(shape: &Shape, at: &Point) -> i64 {
    let size = match opaque(shape) {
        Shape::Circle { radius } => *radius as i64,
        Shape::Square(a, b) => (*a as i64) * (*b as i64),
    };
    size + opaque(at).x as i64 + at.y as i64
}

#[inline(never)]
fn label(text: &str, owned: &String, bytes: &[u8], given: String) -> usize {
    opaque(text).len() + opaque(owned).len() + opaque(bytes).len() + opaque(&given).len()
}

fn main() {
    let mut account = inner::Account { number: 9, balance: 100, open: true };
    let shapes = [Shape::Circle { radius: 5 }, Shape::Square(6, 7)];
    let point = Point { x: -1, y: 2 };
    let mut sum = account.deposit(opaque(25)) + (account.number as i64) + account.open as i64;
    for shape in &shapes {
        sum += area(shape, &point);
    }
    let owned = String::from("an owned text");
    let labels = label(&owned[3..8], &owned, &owned.as_bytes()[..2], String::from("given"));
    std::process::exit((sum as usize + labels + length("four", 5) == 12345) as i32);
}
