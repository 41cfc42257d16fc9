// values_rust slices|options|pointers: calls functions of Rust with values of library types, and prints the values.
// Built with debug information.
mod opaque;
use opaque::opaque;
use std::rc::Rc;
use std::sync::Arc;

#[derive(Clone, Copy)]
pub struct Point {
    pub x: i32,
    pub y: i32,
}

#[inline(never)]
fn slices(numbers: &[i32], owned: &Vec<u16>, names: &[&str], strings: &Vec<String>) {
    println!("{} {} {} {}", opaque(numbers)[1], opaque(owned)[2], opaque(names)[1], opaque(strings)[1]);
}

#[inline(never)]
fn points(points: &[Point], bytes: &[u8], place: usize) {
    let (points, bytes, place) = (opaque(points), opaque(bytes), opaque(place));
    match points.get(place) {
        Some(point) => println!("{} {} {}", point.x, point.y, bytes[place]),
        None => println!("out of range"),
    }
}

#[inline(never)]
fn pair(point: Point, flag: (u8, bool), small: (u16, u16, u16)) {
    let (point, flag, small) = (opaque(point), opaque(flag), opaque(small));
    println!("{} {} {} {} {}", point.x, point.y, flag.0, flag.1 as u8, small.2);
}

pub enum Shape {
    Circle { radius: u64 },
    Square(u32, u32),
    Empty,
}

fn or_none<T: std::fmt::Display>(value: Option<T>) -> String {
    value.map_or(String::from("None"), |value| value.to_string())
}

#[inline(never)]
fn options(reference: Option<&Point>, text: Option<&str>, number: Option<u32>, owned: &Option<String>) {
    let (reference, text, number, owned) = (opaque(reference), opaque(text), opaque(number), opaque(owned));
    let x = or_none(reference.map(|point| point.x));
    println!("{} {} {} {}", x, or_none(text), or_none(number), or_none(owned.as_deref()));
}

#[inline(never)]
fn shape(shape: &Shape) {
    match opaque(shape) {
        Shape::Circle { radius } => println!("Circle {}", radius),
        Shape::Square(a, b) => println!("Square {} {}", a, b),
        Shape::Empty => println!("Empty"),
    }
}

#[inline(never)]
fn pointers(boxed: Box<Point>, counted: Rc<Point>, shared: &Arc<Point>, optional: Option<Rc<Point>>, text: Box<str>) {
    let (boxed, counted, shared, optional, text) =
        (opaque(boxed), opaque(counted), opaque(shared), opaque(optional), opaque(text));
    println!("{} {} {} {} {}", boxed.x, counted.y, shared.x, or_none(optional.map(|point| point.x)), text);
}

fn main() {
    match std::env::args().nth(1).as_deref() {
        Some("slices") => {
            let strings = vec![String::from("one"), String::from("two")];
            slices(&[-1, -2, -3], &vec![7, 8, 9], &["red", "green"], &strings);
            for place in 0..3 {
                points(&[Point { x: 1, y: -1 }, Point { x: 2, y: -2 }], &[200, 100, 50], place);
            }
            pair(Point { x: 5, y: -6 }, (250, true), (1, 2, 3));
        }
        Some("options") => {
            let point = Point { x: 5, y: -6 };
            options(Some(&point), Some("text"), Some(7), &Some(String::from("owned")));
            options(None, None, None, &None);
            for each in [Shape::Circle { radius: 5 }, Shape::Square(6, 7), Shape::Empty] {
                shape(&each);
            }
        }
        Some("pointers") => {
            let shared = Arc::new(Point { x: 3, y: 0 });
            for optional in [Some(Rc::new(Point { x: 4, y: 0 })), None] {
                let text = String::from("text").into_boxed_str();
                pointers(Box::new(Point { x: 1, y: 0 }), Rc::new(Point { x: 0, y: 2 }), &shared, optional, text);
            }
        }
        _ => std::process::exit(2),
    }
}
