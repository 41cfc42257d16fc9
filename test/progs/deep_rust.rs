// deep_rust N: a stack of Rust functions without frame pointers: generic functions, a closure, a method of a trait. The innermost makes N getppid(2)
// calls, 10 ms apart.
mod opaque;
use opaque::opaque;

trait Step {
    fn step(&self, times: u64) -> u64;
}

struct Leaf;
struct Level<Next>(Next);

impl Step for Leaf {
    #[inline(never)]
    fn step(&self, times: u64) -> u64 {
        for _ in 0..times {
            opaque(std::os::unix::process::parent_id());
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        times
    }
}

impl<Next: Step> Step for Level<Next> {
    #[inline(never)]
    fn step(&self, times: u64) -> u64 {
        let room = opaque([times; 9]);
        self.0.step(times) + room[times as usize % 9]
    }
}

#[inline(never)]
fn call(work: &dyn Fn(u64) -> u64, times: u64) -> u64 {
    work(times) + opaque(1)
}

fn main() {
    let times = std::env::args().nth(1).and_then(|text| text.parse().ok()).unwrap_or(1);
    let steps = Level(Level(Level(Leaf)));
    let sum = call(&|times| steps.step(times) + opaque(1), times);
    opaque(sum);
}
