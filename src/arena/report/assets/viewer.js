// The game viewer. It knows no rules: every move comes with the squares it changes.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  if (!data.games.length) return;
  const $ = (id) => document.getElementById(id);
  const MATE = 100000;
  const files = data.xiangqi ? 9 : 8;
  const ranks = data.xiangqi ? 10 : 8;
  const lowest = data.xiangqi ? 0 : 1;
  let game = data.games[0];
  let positions = []; // one map of square to piece for each ply
  let ply = 0;
  let turned = false;
  let timer = null;

  const svg = (name, attributes, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const item = (name, className, text) => {
    const element = document.createElement(name);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };

  // ---- positions

  function placement(fen) {
    const squares = new Map();
    fen.split(" ")[0].split("/").forEach((row, down) => {
      let file = 0;
      for (const c of row) {
        if (c >= "1" && c <= "9") { file += Number(c); continue; }
        squares.set(String.fromCharCode(97 + file) + (ranks - 1 - down + lowest), c);
        file += 1;
      }
    });
    return squares;
  }

  const changed = (at) => (game.changes[at - 1] || "").match(/.{3}/g) || [];
  const blackBegins = () => game.fen.split(" ")[1] === "b";
  const firstNumber = () => Math.max(1, Number(game.fen.split(" ")[5]) || 1);
  /** 0 or 1: whose move led to the position after `at` plies. */
  const mover = (at) => (at - 1 + (blackBegins() ? 1 : 0)) & 1;

  function prepare() {
    positions = [placement(game.fen)];
    for (let at = 1; at <= game.moves.length; at += 1) {
      const next = new Map(positions[at - 1]);
      for (const change of changed(at)) {
        if (change[2] === ".") next.delete(change.slice(0, 2));
        else next.set(change.slice(0, 2), change[2]);
      }
      positions.push(next);
    }
  }

  // ---- the board

  function corner(square) {
    const file = square.charCodeAt(0) - 97;
    const down = ranks - 1 - (Number(square[1]) - lowest);
    return turned
      ? [100 * (files - 1 - file), 100 * (ranks - 1 - down)]
      : [100 * file, 100 * down];
  }

  function drawBoard() {
    const marks = changed(ply).map((change) => {
      const [x, y] = corner(change);
      return data.xiangqi
        ? svg("circle", { class: "mark", cx: x + 50, cy: y + 50, r: 48 })
        : svg("rect", { class: "mark", x, y, width: 100, height: 100 });
    });
    $("marks").replaceChildren(...marks);
    const pieces = [...positions[ply]].map(([square, piece]) => {
      const [x, y] = corner(square);
      const lower = piece.toLowerCase();
      const href = `#${piece === lower ? "second" : "first"}-${lower}`;
      return svg("use", { href, x: x + 3, y: y + 3, width: 94, height: 94, "data-square": square });
    });
    $("pieces").replaceChildren(...pieces);
  }

  function drawNames() {
    const names = [];
    for (let file = 0; file < files; file += 1) {
      const letter = String.fromCharCode(97 + (turned ? files - 1 - file : file));
      const [x, y] = data.xiangqi ? [100 * file + 50, 1025] : [100 * file + 86, 793];
      names.push(svg("text", { x, y, "text-anchor": "middle" }, letter));
    }
    for (let down = 0; down < ranks; down += 1) {
      const rank = (turned ? down : ranks - 1 - down) + lowest;
      const [x, y] = data.xiangqi ? [-14, 100 * down + 58] : [11, 100 * down + 22];
      names.push(svg("text", { x, y, "text-anchor": "middle" }, rank));
    }
    $("names").replaceChildren(...names);
  }

  // ---- words and numbers

  function clockText(ms) {
    if (ms === null || ms === undefined) return "";
    const seconds = ms / 1000;
    const minutes = Math.floor(seconds / 60);
    const rest = (seconds - 60 * minutes).toFixed(seconds < 20 ? 2 : 0);
    return minutes ? `${minutes}:${rest.padStart(2, "0")}` : `${rest} s`;
  }

  const resultText = (result) => result.replaceAll("1/2", "½").replace("-", "–");

  function scoreText(score) {
    if (Math.abs(score) > MATE / 2) {
      const moves = MATE - Math.abs(score);
      return `${score < 0 ? "−" : "+"}#${moves}`;
    }
    return `${score < 0 ? "−" : "+"}${(Math.abs(score) / 100).toFixed(2)}`;
  }

  /** The clock of a side after `at` plies, or what its last move took. */
  function clockOf(side, at) {
    for (let i = at; i > 0; i -= 1) {
      if (mover(i) === side && game.left[i - 1] !== null) return clockText(game.left[i - 1]);
    }
    return clockText(game.clocks[side]);
  }

  function drawPlayers() {
    for (const [id, side] of [["top", turned ? 0 : 1], ["bottom", turned ? 1 : 0]]) {
      const [dot, name, clock] = $(id).children;
      dot.className = side ? "second" : "";
      name.textContent = data.engines[game.players[side]];
      clock.textContent = clockOf(side, ply);
      clock.hidden = !clock.textContent;
      $(id).classList.toggle("moves", ply < game.moves.length && mover(ply + 1) === side);
    }
  }

  function drawThought() {
    const i = ply - 1;
    const parts = [];
    if (i >= 0 && i < game.book) parts.push("Opening book.");
    else if (i >= 0) {
      const numbers = [];
      if (game.scores[i] !== null) numbers.push(scoreText(game.scores[i]));
      if (game.depths[i] !== null) numbers.push(`depth ${game.depths[i]}`);
      if (game.nodes[i] !== null) numbers.push(`${game.nodes[i].toLocaleString("en")} nodes`);
      numbers.push(`${(game.times[i] / 1000).toFixed(3)} s`);
      parts.push(numbers.join(" · "));
      if (game.lines[i]) parts.push(game.lines[i]);
    }
    $("thought").replaceChildren(...parts.map((text) => item("div", "", text)));
  }

  function drawMoves() {
    const list = [];
    let number = firstNumber();
    game.moves.forEach((text, i) => {
      const side = mover(i + 1);
      if (side === 0 || i === 0) list.push(item("li", "number", `${number}.`));
      if (side === 1 && i === 0) list.push(item("li", "", "…"));
      const move = item("li", i < game.book ? "move book" : "move", text);
      move.dataset.ply = i + 1;
      list.push(move);
      if (side === 1) number += 1;
    });
    list.push(item("li", "end", `${resultText(game.result)} · ${game.reason}`));
    $("moves").replaceChildren(...list);
    $("heading").textContent = `Game ${game.number}, round ${game.round}: ${resultText(game.result)}`;
  }

  function markMove() {
    const box = $("moves");
    box.querySelector(".now")?.classList.remove("now");
    const now = box.querySelector(`[data-ply="${ply}"]`);
    if (!now) { box.scrollTop = 0; return; }
    now.classList.add("now");
    reveal(now, box);
  }

  /** Scrolls a box, and nothing else, so far that something in it is seen. */
  function reveal(element, box) {
    const [inner, outer] = [element.getBoundingClientRect(), box.getBoundingClientRect()];
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      box.scrollTop += inner.top - outer.top - box.clientHeight / 2;
    }
  }

  // ---- the two curves

  const WIDTH = 560, HEIGHT = 150, LEFT = 48, RIGHT = 8, TOP = 8, BOTTOM = 18;
  const plyX = (at) => LEFT + ((WIDTH - LEFT - RIGHT) * at) / Math.max(1, game.moves.length);
  const shareY = (share) => TOP + (HEIGHT - TOP - BOTTOM) * (1 - share);
  /** Scores beyond a few pawns differ little: 0 to 1, one half for an even game. */
  const evalShare = (score) => 0.5 + (0.5 * score) / (Math.abs(score) + 250);

  function path(points) {
    return points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
  }

  function plot(box, label, marks, series) {
    const chart = svg("svg", { class: "chart", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label });
    for (const [share, text, isZero] of marks) {
      const y = shareY(share);
      chart.append(svg("path", { class: isZero ? "zero" : "grid", d: `M${LEFT} ${y}H${WIDTH - RIGHT}` }));
      chart.append(svg("text", { class: "tick", x: LEFT - 6, y: y + 4, "text-anchor": "end" }, text));
    }
    const step = Math.max(1, Math.ceil(game.moves.length / 2 / 8 / 5) * 5);
    for (let move = step; 2 * move <= game.moves.length; move += step) {
      const text = firstNumber() + move - 1;
      chart.append(svg("text", { class: "tick", x: plyX(2 * move), y: HEIGHT - 3, "text-anchor": "middle" }, text));
    }
    series.forEach((points, side) => {
      chart.append(svg("path", { class: `line ${side ? "second" : "first"}`, style: "fill:none", d: path(points) }));
    });
    chart.append(svg("path", { class: "cursor", d: "" }));
    chart.addEventListener("click", (event) => {
      const frame = chart.getBoundingClientRect();
      const x = ((event.clientX - frame.left) / frame.width) * WIDTH;
      go(Math.round(((x - LEFT) / (WIDTH - LEFT - RIGHT)) * game.moves.length));
    });
    box.replaceChildren(chart);
  }

  function drawCurves() {
    const sides = [[], []];
    game.scores.forEach((score, i) => {
      if (score !== null) sides[mover(i + 1)].push([plyX(i + 1), shareY(evalShare(score))]);
    });
    const scale = [-MATE, -1000, -300, -100, 0, 100, 300, 1000, MATE];
    const word = (score) => (Math.abs(score) === MATE ? "#" : String(score / 100).replace("-", "−"));
    plot($("evals"), "Evaluation", scale.map((s) => [evalShare(s), word(s), s === 0]), sides);

    const hasClocks = game.left.some((left) => left !== null);
    const values = hasClocks ? game.left : game.times;
    const start = hasClocks ? game.clocks : [null, null];
    const most = Math.max(1, ...values.filter((v) => v !== null), ...start.filter((v) => v !== null));
    const times = [[], []];
    start.forEach((ms, side) => {
      if (ms !== null) times[side].push([plyX(0), shareY(ms / most)]);
    });
    values.forEach((ms, i) => {
      if (ms !== null) times[mover(i + 1)].push([plyX(i + 1), shareY(ms / most)]);
    });
    const marks = [0, 0.5, 1].map((share) => [share, `${+((most * share) / 1000).toPrecision(2)} s`, share === 0]);
    $("clock-title").textContent = hasClocks ? "Time left" : "Time for each move";
    plot($("clocks"), "Clocks", marks, times);
  }

  function moveCursors() {
    for (const cursor of document.querySelectorAll(".viewer .cursor")) {
      cursor.setAttribute("d", `M${plyX(ply)} ${TOP}V${HEIGHT - BOTTOM}`);
    }
  }

  // ---- going about

  function show() {
    drawBoard();
    drawPlayers();
    drawThought();
    markMove();
    moveCursors();
    history.replaceState(null, "", `#game=${game.number}&ply=${ply}`);
  }

  function go(to) {
    ply = Math.max(0, Math.min(game.moves.length, to));
    if (ply === game.moves.length) pause();
    show();
  }

  function open(next, at) {
    pause();
    game = next;
    prepare();
    drawMoves();
    drawCurves();
    for (const row of $("list").rows) {
      const isNow = Number(row.dataset.game) === game.number;
      row.classList.toggle("now", isNow);
      if (isNow) reveal(row, $("list").closest(".list"));
    }
    go(at);
  }

  function pause() {
    clearInterval(timer);
    timer = null;
    $("play").setAttribute("aria-pressed", "false");
  }

  function play() {
    if (timer) { pause(); return; }
    if (ply === game.moves.length) go(0);
    timer = setInterval(() => go(ply + 1), 700);
    $("play").setAttribute("aria-pressed", "true");
  }

  function flip() {
    turned = !turned;
    drawNames();
    show();
  }

  // ---- the list of games

  function options(select, all, values) {
    const entries = [["", all], ...values.map((value) => [value, value])];
    select.replaceChildren(...entries.map(([value, text]) => {
      const option = item("option", "", text);
      option.value = value;
      return option;
    }));
    select.addEventListener("change", drawList);
  }

  function drawList() {
    const [player, result, reason] = ["by-player", "by-result", "by-reason"].map((id) => $(id).value);
    const shown = data.games.filter((g) =>
      (!player || g.players.some((p) => data.engines[p] === player))
      && (!result || g.result === result)
      && (!reason || g.reason === reason));
    $("list").replaceChildren(...shown.map((g) => {
      const row = item("tr", g === game ? "now" : "");
      row.dataset.game = g.number;
      const cells = [
        [g.number], [g.round], [data.engines[g.players[0]], "l"], [data.engines[g.players[1]], "l"],
        [resultText(g.result)], [Math.ceil(g.moves.length / 2)], [g.reason, "l"],
      ];
      row.append(...cells.map(([text, className]) => item("td", className, text)));
      return row;
    }));
    $("count").textContent = `${shown.length} of ${data.games.length} games`;
  }

  function listen() {
    const buttons = {
      first: () => go(0), back: () => go(ply - 1), play, next: () => go(ply + 1),
      last: () => go(game.moves.length), flip,
    };
    for (const [id, action] of Object.entries(buttons)) {
      $(id).addEventListener("click", () => { if (id !== "play") pause(); action(); });
    }
    const keys = {
      ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", f: "flip", " ": "play",
    };
    document.addEventListener("keydown", (event) => {
      const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey;
      const inForm = /^(SELECT|INPUT|BUTTON)$/.test(event.target.tagName) && event.key === " ";
      if (!isPlain || inForm || event.target.tagName === "SELECT" || !keys[event.key]) return;
      event.preventDefault();
      $(keys[event.key]).click();
    });
    $("moves").addEventListener("click", (event) => {
      const at = event.target.dataset.ply;
      if (at) { pause(); go(Number(at)); }
    });
    $("list").addEventListener("click", (event) => {
      const row = event.target.closest("tr");
      const next = row && data.games.find((g) => g.number === Number(row.dataset.game));
      if (next) open(next, 0);
    });
  }

  const distinct = (values) => [...new Set(values)].sort();
  if (data.xiangqi) document.querySelector(".viewer").classList.add("red-black");
  options($("by-player"), "any", data.engines);
  options($("by-result"), "any", distinct(data.games.map((g) => g.result)));
  options($("by-reason"), "any", distinct(data.games.map((g) => g.reason)));
  listen();
  drawNames();
  drawList();
  const wanted = new URLSearchParams(location.hash.slice(1));
  const start = data.games.find((g) => g.number === Number(wanted.get("game")));
  open(start || game, Number(wanted.get("ply")) || 0);
})();
