// SPDX-License-Identifier: GPL-2.0
// The same in Rust.
use std::{env, fs, path::Path, thread, time::Duration};

pub trait Counter {
	fn serve(&self, n: u64);
}

pub struct Quick<T> {
	pub of: T,
}

pub mod till {
	fn add(n: u64) -> u64 {
		let mut total: u64 = 0;
		for i in 0..n {
			unsafe { std::ptr::write_volatile(&mut total, i) }
		}
		total
	}

	#[inline(never)]
	pub fn often<T: Into<u64>>(n: T) -> u64 {
		add(n.into()) + 1
	}

	#[inline(never)]
	pub fn seldom<T: Into<u64>>(n: T) -> u64 {
		add(n.into()) + 2
	}
}

impl<T: Copy + Into<u64>> Counter for Quick<T> {
	#[inline(never)]
	fn serve(&self, n: u64) {
		let total = till::often(3 * n) + till::seldom(n) + self.of.into();
		unsafe { std::ptr::read_volatile(&total) };
	}
}

#[inline(never)]
fn run(counter: &dyn Counter, turns: u64) {
	// Turns of one length may keep step with a profiler, which then sees one part only. 100000 on average.
	for turn in 0..turns {
		counter.serve(50000 + turn % 101 * 1000)
	}
}

// -w FILE TURNS, as there.
fn main() {
	let args: Vec<String> = env::args().collect();
	let ready = format!("{}.ready", args[2]);

	fs::create_dir(&ready).unwrap();
	while !Path::new(&args[2]).exists() {
		thread::sleep(Duration::from_millis(10));
	}
	run(&Quick { of: 7u32 }, args[3].parse().unwrap());
	fs::remove_dir(&ready).unwrap();
}
