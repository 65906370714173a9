#!/usr/bin/env python3
"""A report of `twofold report`, loaded from file:// in a headless browser and used.

    apt-get install chromium
    cargo build --release
    twofold match chess-quick && twofold report chess-quick -o report.html
    python3 tests/clients/report_in_browser.py report.html --screenshots shots

Loads the page, steps through a game by keys and by clicks, compares the board after every move
with what the page's own data says, turns the board, filters the list of games, and takes
screenshots in light and dark colours, to be looked at. Nothing may be asked of the network and
nothing may go wrong in the page's script. Exit code 1 if anything does. Python's own library and
Chromium are all it needs: the two speak over a pair of pipes.
"""

import argparse
import base64
import json
import os
import pathlib
import subprocess
import sys
import tempfile

FLAGS = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--remote-debugging-pipe", "--window-size=1280,1000",
]


class Browser:
    """Chromium's debugging protocol over file descriptors 3 and 4."""

    def __init__(self, program, profile):
        to_browser, self.writer = os.pipe()
        self.reader, from_browser = os.pipe()

        def in_child():
            # Copies above the range first, so that neither end overwrites the other.
            high = [os.dup2(to_browser, 103), os.dup2(from_browser, 104)]
            os.dup2(high[0], 3)
            os.dup2(high[1], 4)

        self.process = subprocess.Popen(
            [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
            preexec_fn=in_child, close_fds=False,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_browser)
        os.close(from_browser)
        self.buffer = b""
        self.number = 0
        self.session = None
        self.events = []

    def message(self):
        while b"\0" not in self.buffer:
            part = os.read(self.reader, 1 << 16)
            if not part:
                raise RuntimeError("the browser has gone")
            self.buffer += part
        text, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(text)

    def call(self, method, **parameters):
        self.number += 1
        request = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            request["sessionId"] = self.session
        os.write(self.writer, json.dumps(request).encode() + b"\0")
        while True:
            answer = self.message()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self.events.append(answer)

    def attach(self):
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Network", "Log"):
            self.call(f"{domain}.enable")

    def load(self, url):
        self.events.clear()
        self.call("Page.navigate", url=url)
        while not any(e.get("method") == "Page.loadEventFired" for e in self.events):
            self.events.append(self.message())

    def value(self, expression):
        found = self.call("Runtime.evaluate", expression=expression, returnByValue=True)
        if "exceptionDetails" in found:
            raise RuntimeError(f"{expression}: {found['exceptionDetails']}")
        return found["result"].get("value")

    def press(self, key):
        text = {"text": key} if len(key) == 1 else {}
        self.call("Input.dispatchKeyEvent", type="keyDown", key=key, **text)
        self.call("Input.dispatchKeyEvent", type="keyUp", key=key)

    def screenshot(self, path, selector=None):
        area = {}
        if selector:
            box = self.value(f"(() => {{ const b = document.querySelector({selector!r})"
                             ".getBoundingClientRect(); return [b.x + scrollX, b.y + scrollY,"
                             " b.width, b.height]; })()")
            area = {"clip": dict(zip(("x", "y", "width", "height"), box), scale=1)}
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True, **area)
        path.write_bytes(base64.b64decode(shot["data"]))
        print(f"screenshot {path}")

    def close(self):
        self.process.terminate()
        self.process.wait(20)


# Squares and pieces on the drawn board, as `e2P e4p ...`.
BOARD = """[...document.querySelectorAll('#pieces use')].map((use) => {
  const [side, letter] = use.getAttribute('href').slice(1).split('-');
  return use.dataset.square + (side === 'first' ? letter.toUpperCase() : letter);
}).sort().join(' ')"""

# Where the pieces are drawn.
PLACES = """[...document.querySelectorAll('#pieces use')].map((use) =>
  use.getAttribute('x') + ',' + use.getAttribute('y')).join(' ')"""

# Any piece whose symbol is missing, or which is drawn with no size.
BLANK = """[...document.querySelectorAll('#pieces use')].filter((use) =>
  !document.querySelector(use.getAttribute('href')) || use.getBoundingClientRect().width < 5).length"""


def placement(game, ply, lowest):
    """The board after so many plies, worked out here from the data."""
    squares = {}
    rows = game["fen"].split(" ")[0].split("/")
    for down, row in enumerate(rows):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
                continue
            squares[f"{chr(97 + file)}{len(rows) - 1 - down + lowest}"] = c
            file += 1
    for text in game["changes"][:ply]:
        for at in range(0, len(text), 3):
            square, piece = text[at:at + 2], text[at + 2]
            squares.pop(square, None)
            if piece != ".":
                squares[square] = piece
    return " ".join(sorted(square + piece for square, piece in squares.items()))


def check(condition, what):
    if not condition:
        raise RuntimeError(what)


def use(browser, page, shots):
    browser.load(page.resolve().as_uri())
    data = json.loads(browser.value("document.getElementById('data').textContent"))
    games = data["games"]
    game = games[0]
    lowest = 0 if data["xiangqi"] else 1
    plies = len(game["moves"])

    def on_board(ply):
        check(browser.value(BOARD) == placement(game, ply, lowest), f"the board after ply {ply}")
        check(browser.value(BLANK) == 0, f"a piece that is not drawn after ply {ply}")

    on_board(0)
    browser.screenshot(shots / "top.png")
    for ply in range(1, plies + 1):
        browser.press("ArrowRight")
        on_board(ply)
        now = browser.value("document.querySelector('#moves .now').textContent")
        check(now == game["moves"][ply - 1], f"the marked move at ply {ply}: {now}")
    browser.press("ArrowRight")
    on_board(plies)
    browser.press("ArrowLeft")
    on_board(plies - 1)
    browser.press("Home")
    on_board(0)
    browser.value("document.getElementById('last').click()")
    on_board(plies)
    middle = plies // 2
    browser.value(f"document.querySelector('#moves [data-ply=\"{middle}\"]').click()")
    on_board(middle)
    browser.screenshot(shots / "viewer.png", "#games")
    before = browser.value(PLACES)
    browser.press("f")
    on_board(middle)
    after = browser.value(PLACES)
    name = browser.value("document.querySelector('#bottom b').textContent")
    check(before != after, "turning the board moves the pieces")
    check(name == data["engines"][game["players"][1]], "turning the board turns the players")
    browser.press("f")

    rows = "document.getElementById('list').rows.length"
    check(browser.value(rows) == len(games), "all games are listed")
    for result in sorted({g["result"] for g in games}):
        browser.value("(() => { const s = document.getElementById('by-result');"
                      f" s.value = {result!r}; s.dispatchEvent(new Event('change')); }})()")
        wanted = sum(g["result"] == result for g in games)
        check(browser.value(rows) == wanted, f"the list of {result}")
    browser.value("(() => { const s = document.getElementById('by-result');"
                  " s.value = ''; s.dispatchEvent(new Event('change')); })()")
    browser.value("document.getElementById('list').rows[document.getElementById('list')"
                  ".rows.length - 1].click()")
    game, plies = games[-1], len(games[-1]["moves"])
    on_board(0)
    browser.press("End")
    on_board(plies)

    # Dark colours, and the address that leads straight to a move.
    browser.call("Emulation.setEmulatedMedia",
                 features=[{"name": "prefers-color-scheme", "value": "dark"}])
    browser.load("about:blank")
    browser.load(f"{page.resolve().as_uri()}#game={game['number']}&ply={plies // 2}")
    on_board(plies // 2)
    browser.screenshot(shots / "dark.png", "body")

    for event in browser.events:
        method, parameters = event.get("method"), event.get("params", {})
        check(method != "Runtime.exceptionThrown", f"the page's script: {parameters}")
        if method == "Network.requestWillBeSent":
            url = parameters["request"]["url"]
            check(url.startswith(("file:", "about:", "data:")), f"the page asked for {url}")
    print(f"{len(games)} games, {len(games[0]['moves'])} moves stepped through")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("page", type=pathlib.Path)
    parser.add_argument("--screenshots", type=pathlib.Path, default=pathlib.Path("."))
    parser.add_argument("--browser", default="chromium")
    options = parser.parse_args()
    options.screenshots.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        browser = Browser(options.browser, profile)
        try:
            browser.attach()
            use(browser, options.page, options.screenshots)
        except RuntimeError as error:
            print(f"FAILED: {error}")
            return 1
        finally:
            browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
