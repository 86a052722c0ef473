// SPDX-License-Identifier: GPL-2.0
// What a flame graph does when somebody points at it, clicks or searches; lines like these are left
// out of pictures. Names of frames are anybody's: they are read and written as text only, and never
// become markup, code or addresses.
(function () {
"use strict";
var svg = document.currentScript.ownerSVGElement, win = document.defaultView;
var all = svg.querySelector(".f"), told = svg.querySelector(".d"), sum = svg.querySelector(".q");
var LEFT = 10, ROW = 16, CHARACTER = 6.7, frames = [], numbers = new Map();
var zoomed = 0, sought = null;

// The elements are in the order of the tree: what a frame calls is behind it, and deeper.
Array.prototype.forEach.call(all.children, function (g, i) {
	var rect = g.querySelector("rect"), title = g.querySelector("title").textContent;
	var y = +rect.getAttribute("y");
	numbers.set(g, i);
	frames.push({
		g: g, rect: rect, text: g.querySelector("text"), title: title,
		name: title.slice(0, title.lastIndexOf(" (")), y: y,
		x: +rect.getAttribute("x"), w: +rect.getAttribute("width"),
		depth: i ? Math.round(Math.abs(y - frames[0].y) / ROW) : 0
	});
});

function end(i) {
	var e = i + 1;
	while (e < frames.length && frames[e].depth > frames[i].depth)
		e++;
	return e;
}

function label(f, x, w) {
	var room = Math.floor((w - 6) / CHARACTER), name;
	if (room < 3) {
		if (f.text)
			f.text.textContent = "";
		return;
	}
	if (!f.text) {
		f.text = document.createElementNS("http://www.w3.org/2000/svg", "text");
		f.text.setAttribute("y", f.y + 12);
		f.g.appendChild(f.text);
	}
	name = Array.from(f.name.slice(0, 2 * room + 2));
	f.text.setAttribute("x", x + 3);
	f.text.textContent = name.length <= room ? f.name : name.slice(0, room - 2).join("") + "..";
}

function place(f, x, w, around) {
	f.g.style.display = "";
	f.g.classList.toggle("a", around);
	f.rect.setAttribute("x", x);
	f.rect.setAttribute("width", w);
	f.rect.classList.toggle("n", w < 2);
	label(f, x, w);
}

// A frame becomes as wide as the picture, with its callers below it.
function zoom(i) {
	var z = frames[i], e = end(i), full = frames[0].w, depth = z.depth, j;
	zoomed = i;
	for (j = 0; j < frames.length; j++) {
		if (j < i || j >= e)
			frames[j].g.style.display = "none";
		else
			place(frames[j], LEFT + (frames[j].x - z.x) * full / z.w,
			      frames[j].w * full / z.w, false);
	}
	for (j = i - 1; j >= 0; j--)
		if (frames[j].depth < depth) {
			depth = frames[j].depth;
			place(frames[j], LEFT, full, true);
		}
	svg.classList.toggle("zoomed", i > 0);
	count();
}

// The share of the frame that is shown whole; a match within another counts once.
function count() {
	var z = frames[zoomed], e = end(zoomed), covered = Infinity, w = 0, j;
	if (!sought) {
		sum.textContent = "";
		return;
	}
	for (j = zoomed; j < e; j++) {
		if (frames[j].depth <= covered)
			covered = Infinity;
		if (covered === Infinity && frames[j].found) {
			covered = frames[j].depth;
			w += frames[j].w;
		}
	}
	sum.textContent = "found: " + (all.classList.contains("part") ? "at least " : "") +
		(100 * w / z.w).toFixed(2) + " %" + (zoomed ? " of the frame" : "");
}

function search(text) {
	var pattern = null;
	try {
		pattern = new RegExp(text);
	} catch (e) {
		// It is looked for as it is.
	}
	sought = text;
	frames.forEach(function (f) {
		f.found = !!text && (pattern ? pattern.test(f.name) : f.name.indexOf(text) >= 0);
		f.g.classList.toggle("x", f.found);
	});
	count();
}

function ask() {
	var text = win.prompt("Search for (a regular expression; nothing ends the search):",
			      sought || "");
	if (text !== null)
		search(text);
}

function frame(event) {
	var g = event.target.closest(".f>g");
	return g ? numbers.get(g) : undefined;
}

all.addEventListener("click", function (event) {
	var i = frame(event);
	if (i !== undefined)
		zoom(i);
});
all.addEventListener("mouseover", function (event) {
	var i = frame(event);
	told.textContent = i === undefined ? "" : frames[i].title;
});
all.addEventListener("mouseout", function () {
	told.textContent = "";
});
svg.querySelector(".s").addEventListener("click", ask);
svg.querySelector(".z").addEventListener("click", function () {
	zoom(0);
});
win.addEventListener("keydown", function (event) {
	if (event.key === "F3" || ((event.ctrlKey || event.metaKey) &&
	    event.key === "f")) {
		event.preventDefault();
		ask();
	} else if (event.key === "Escape" && sought) {
		search("");
	} else if (event.key === "Escape") {
		zoom(0);
	}
});
svg.classList.add("live");
})();
