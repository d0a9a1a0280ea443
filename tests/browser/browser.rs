//! A browser, controlled by messages through its debugging pipe.

use std::{
    fs::File,
    io::{BufRead, BufReader, Write},
    process::{Child, Command, Stdio},
    sync::{LazyLock, Mutex, MutexGuard, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde_json::{Value, json};

/// A wait that takes longer fails.
pub const DEADLINE: Duration = Duration::from_secs(30);

/// One browser for all tests, which use it in turn; none if none is installed. It ends when its pipe closes.
static BROWSER: LazyLock<Option<Mutex<Browser>>> = LazyLock::new(|| Browser::start().map(Mutex::new));

struct Browser {
    _process: Child,
    to: File,
    from: BufReader<File>,
    number: u64,
    events: Vec<Value>,
}

impl Browser {
    fn start() -> Option<Browser> {
        let program = "chromium-headless-shell";
        if Command::new(program)
            .arg("--version")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .is_err()
        {
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        // The browser reads file descriptor 3 and writes 4; a shell can open them.
        let start = format!(
            "cd '{}' && mkfifo to from && exec {program} --no-sandbox --disable-gpu --hide-scrollbars \
             --remote-debugging-pipe 3<to 4>from",
            folder.path().display()
        );
        let mut command = Command::new("sh");
        command.args(["-c", &start]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        let process = command.spawn().unwrap();
        let begun = Instant::now();
        while !folder.path().join("from").exists() {
            assert!(begun.elapsed() < DEADLINE, "no pipe");
            thread::yield_now();
        }
        let to = File::options().write(true).open(folder.path().join("to")).unwrap();
        let from = BufReader::new(File::open(folder.path().join("from")).unwrap());
        Some(Browser { _process: process, to, from, number: 0, events: Vec::new() })
    }

    fn receive(&mut self) -> Value {
        let mut message = Vec::new();
        self.from.read_until(0, &mut message).unwrap();
        assert_eq!(message.pop(), Some(0), "the browser went away");
        serde_json::from_slice(&message).unwrap()
    }

    fn send(&mut self, session: &str, method: &str, params: &Value) {
        self.number += 1;
        let mut message = json!({"id": self.number, "method": method, "params": params});
        if !session.is_empty() {
            message["sessionId"] = session.into();
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
    }

    fn call(&mut self, session: &str, method: &str, params: Value) -> Value {
        let mut answer = self.answer(session, method, params);
        assert_eq!(answer["error"], Value::Null, "{method}");
        answer["result"].take()
    }

    /// The answer to a message: a result or an error.
    fn answer(&mut self, session: &str, method: &str, params: Value) -> Value {
        self.send(session, method, &params);
        loop {
            let answer = self.receive();
            if answer["id"] == self.number {
                return answer;
            }
            self.events.push(answer);
        }
    }
}

/// A page of the browser. While it lives no other test has one.
pub struct Page {
    browser: MutexGuard<'static, Browser>,
    target: String,
    session: String,
}

/// A new page of 1280 by 800 pixels; none without a browser.
pub fn page() -> Option<Page> {
    let Some(browser) = &*BROWSER else {
        eprintln!("SKIPPED: chromium-headless-shell is not installed");
        return None;
    };
    let mut browser = browser.lock().unwrap_or_else(PoisonError::into_inner);
    browser.events.clear();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let target = text(&browser.call("", "Target.createTarget", json!({"url": "about:blank"}))["targetId"]);
    let attached = browser.call("", "Target.attachToTarget", json!({"targetId": target, "flatten": true}));
    let mut page = Page { session: text(&attached["sessionId"]), browser, target };
    for domain in ["Page", "Runtime", "Log"] {
        page.call(&format!("{domain}.enable"), json!({}));
    }
    page.size(1280, 800);
    Some(page)
}

impl Page {
    /// Sends a message about this page.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.browser.call(&self.session, method, params)
    }

    /// Sets its size in CSS pixels.
    pub fn size(&mut self, width: u32, height: u32) {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", size);
    }

    /// Opens an address and waits for the initial content, moves included.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        let address = json!(url);
        self.wait(&format!("location.href.startsWith({address}) && document.readyState === 'complete'"));
        self.wait("document.querySelector('#page h1') && !document.querySelector('[aria-busy=true]')");
    }

    /// The value of an expression.
    pub fn eval(&mut self, expression: &str) -> Value {
        let mut answer = self.evaluate(expression);
        assert_eq!(answer["error"], Value::Null, "{expression}");
        assert_eq!(answer["result"]["exceptionDetails"], Value::Null, "{expression}");
        answer["result"]["result"]["value"].take()
    }

    fn evaluate(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        self.browser.answer(&self.session, "Runtime.evaluate", params)
    }

    /// Goes `back` or `forward` in the history.
    pub fn travel(&mut self, way: &str) {
        let answer = self.evaluate(&format!("history.{way}()"));
        // On a busy machine the page may be left before it has answered.
        let left = answer["error"]["message"] == "Inspected target navigated or closed";
        assert!(left || answer["error"] == Value::Null, "{answer}");
        assert_eq!(answer["result"]["exceptionDetails"], Value::Null, "{way}");
    }

    /// Waits until an expression holds, on this page or on the one that replaces it.
    pub fn wait(&mut self, expression: &str) {
        let begun = Instant::now();
        loop {
            let answer = self.evaluate(&format!("Boolean({expression})"));
            assert_eq!(answer["result"]["exceptionDetails"], Value::Null, "{expression}");
            // A page that is left while it evaluates answers with an error.
            if answer["result"]["result"]["value"] == true {
                return;
            }
            if begun.elapsed() > DEADLINE {
                let text = self.eval("document.body.innerText");
                panic!("never: {expression}\n{text}\n{:?}", self.messages());
            }
            thread::sleep(Duration::from_millis(5));
        }
    }

    /// The text of the first element that matches, with single spaces.
    pub fn text(&mut self, selector: &str) -> String {
        let text = self.eval(&format!("document.querySelector({}).textContent", json!(selector)));
        text.as_str().unwrap().split_whitespace().collect::<Vec<_>>().join(" ")
    }

    /// Waits until the first element that matches has this text.
    pub fn wait_text(&mut self, selector: &str, text: &str) {
        self.wait(&format!("document.querySelector({})?.textContent === {}", json!(selector), json!(text)));
    }

    /// Presses keys.
    pub fn keys(&mut self, keys: &[&str]) {
        for key in keys {
            let text = if key.len() == 1 { key } else { "" };
            self.call("Input.dispatchKeyEvent", json!({"type": "keyDown", "key": key, "text": text}));
            self.call("Input.dispatchKeyEvent", json!({"type": "keyUp", "key": key}));
        }
    }

    /// Clicks into an element at a position given as shares of its width and height.
    pub fn click_at(&mut self, selector: &str, along: f64, down: f64) {
        self.drag(selector, (along, down), (along, down));
    }

    /// Clicks into the middle of an element.
    pub fn click(&mut self, selector: &str) {
        self.click_at(selector, 0.5, 0.5);
    }

    /// Drags with the mouse between two positions in an element, given as shares of its width and height.
    pub fn drag(&mut self, selector: &str, from: (f64, f64), to: (f64, f64)) {
        // An element that scrolls into view gets its size one frame later and moves those below it.
        self.eval("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))");
        let found = self.eval(&format!(
            "(() => {{ const element = document.querySelector({}); element.scrollIntoView({{block: 'nearest'}}); \
             const {{left, top, width, height}} = element.getBoundingClientRect(); return [left, top, width, height]; }})()",
            json!(selector)
        ));
        let side = |nth: usize| found[nth].as_f64().unwrap();
        for (kind, (along, down)) in
            [("mouseMoved", from), ("mousePressed", from), ("mouseMoved", to), ("mouseReleased", to)]
        {
            let (x, y) = (side(0) + along * side(2), side(1) + down * side(3));
            let params = json!({"type": kind, "x": x, "y": y, "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", params);
        }
    }

    /// The text of the current move; empty at the start.
    pub fn current(&mut self) -> String {
        let text = self.eval("document.querySelector('.move[aria-current]')?.textContent ?? ''");
        text.as_str().unwrap().to_owned()
    }

    /// The classes of what is on a square of the large board, topmost first, with White below.
    pub fn seen_on(&mut self, square: &str) -> Vec<String> {
        let [file, rank] = *square.as_bytes() else { panic!("{square}") };
        let (x, y) = (f64::from(file - b'a') + 0.5, f64::from(b'8' - rank) + 0.5);
        // Pieces move to their squares over some time.
        self.wait("document.querySelector('.desk .board').getAnimations({subtree: true}).length === 0");
        let seen = self.eval(&format!(
            "(() => {{ const board = document.querySelector('.desk .board'); board.scrollIntoView({{block: 'nearest'}}); \
             const box = board.getBoundingClientRect(); \
             return document.elementsFromPoint(box.left + {x} * box.width / 8, box.top + {y} * box.height / 8) \
             .filter(each => each.parentNode === board).map(each => each.className); }})()"
        ));
        seen.as_array().unwrap().iter().map(|name| name.as_str().unwrap().to_owned()).collect()
    }

    /// All console messages of the page so far, errors included.
    pub fn messages(&mut self) -> Vec<String> {
        // Messages sent before this answer have arrived with it.
        self.call("Runtime.evaluate", json!({"expression": "0"}));
        let kinds = ["Runtime.consoleAPICalled", "Runtime.exceptionThrown", "Log.entryAdded"];
        let events = self.browser.events.iter().filter(|event| event["sessionId"] == *self.session);
        let events = events.filter(|event| kinds.iter().any(|name| event["method"] == *name));
        events.map(|event| event["params"].to_string()).collect()
    }

    /// Asserts that the console has no messages.
    pub fn is_silent(&mut self) {
        assert_eq!(self.messages(), [""; 0]);
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Nothing waits for the answer, as this may be the end of a test that failed.
        self.browser.send("", "Target.closeTarget", &json!({"targetId": self.target}));
    }
}
