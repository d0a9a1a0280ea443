// Shows the records; no chess is computed here. Names and comments enter as text only.
(() => {
'use strict';

const PIECES = {k: 'king', q: 'queen', r: 'rook', b: 'bishop', n: 'knight', p: 'pawn', d: 'king', m: 'man'};
const SPOKEN = {'O-O-O': 'castles queenside', 'O-O': 'castles kingside', '--': 'null move', x: 'takes', ':': 'takes',
  '-': 'to', '=': 'promotes to', '+': 'check', '#': 'checkmate'};
const SIDES = ['white', 'black'];

// - Small tools

const page = document.getElementById('page');
const {kind} = page.dataset, single = kind === 'single';
const query = new URLSearchParams(location.search), arbiter = query.has('arbiter') ? '?arbiter' : '';
const data = id => JSON.parse(document.getElementById(id)?.text ?? null);
const look = data('look') || {};

// A text in the words of the page, with its $ filled in.
const t = (text, ...parts) => (look.words?.[text] ?? text).replace(/\$/g, () => parts.shift() ?? '');

function make(tag, about, ...inside) {
  const element = Object.assign(document.createElement(tag), about?.trim ? {className: about} : about);
  element.append(...inside.filter(Boolean));
  return element;
}

const span = (name, text) => text ? make('span', name, text) : '';

const fold = (name, sign, inside) => make('details', name, make('summary', '', sign), inside);
const link = (href, className, ...inside) => make('a', {className, href}, ...inside);
const write = (element, text) => { if (element.textContent !== text) element.textContent = text; };

function clockText(seconds) {
  if (seconds == null) return '';
  const left = Math.max(0, Math.ceil(seconds)), hours = Math.floor(left / 3600);
  const rest = `${Math.floor(left / 60) % 60}:${String(left % 60).padStart(2, '0')}`;
  return hours ? `${hours}:${rest.padStart(5, '0')}` : rest;
}

const search = make('input', {ariaLabel: t('Search'), placeholder: t('Search')});
const finds = text => search.value.toLowerCase().split(' ').every(word => text.toLowerCase().includes(word));

// An age of more than a day is shown as a date.
function ageText(time, now, near, far) {
  const ms = now - time, [size, unit] = ms < 12e4 ? [1000, '$ seconds'] : ms < 72e5 ? [6e4, '$ minutes'] : [36e5, '$ hours'];
  return ms < 864e5 ? t(near, t(unit, Math.floor(ms / size))) : t(far, look.lang ? new Date(time).toLocaleString(look.lang) : `${new Date(time)}`.slice(4, 21));
}

const known = value => value && !/^[?.]+$/.test(value) && value;
const dateText = date => known(date)?.replace?.(/(\.\?\?)+$/, '') || '';
const resultText = result => (result || '').replaceAll('1/2', '½').replace('-', '–');

// The number of the table, else the address of the board.
const seatOf = ({table, board}) => table ? t('Table $', table) : board ? t('Board $', board) : '';

// The players, or without names their board.
const playersOf = (white, black, seat) =>
  white || black || !seat ? `${white || t('White')} – ${black || t('Black')}` : seat;

// - Evaluations

// White's chances in hundredths, by Lichess's formula.
const share = score => score.trim ? (score[1] === '-' ? 0 : 100) : 100 / (1 + Math.exp(-.00368208 * score));
const scoreText = (score, bound = '') => score == null ? '' :
  bound + (score.trim ? score : (score > 0 ? '+' : '') + (score / 100).toFixed(2));
const barOf = () => make('div', {className: 'bar', ariaHidden: true});

// Without an evaluation (yet) the bar keeps its height, in grey.
function setBar(bar, score) {
  bar.classList.toggle('stale', score == null);
  if (score != null) bar.style.setProperty('--share', `${share(score)}%`);
}

// Browsers may refuse to store the setting.
const STORE = 'boardbus-evaluation';
function remembered(value) {
  try {
    if (value) localStorage.setItem(STORE, value);
    return localStorage.getItem(STORE);
  } catch { return value; }
}

let thinks, wished = remembered();
const toggle = make('button', {className: 'toggle', textContent: t('Evaluation'), hidden: true,
  onclick: () => { wished = wished === 'off' ? 'on' : 'off'; remembered(wished); evaluated(thinks); }});

// Shows the evaluation, if there is one and evaluations are switched on.
function evaluated(any) {
  thinks = any;
  toggle.hidden = !any;
  toggle.ariaPressed = any ? wished !== 'off' : null;
  document.body.classList.toggle('evals', Boolean(any && wished !== 'off'));
}

// - Boards

// The pieces by square, from FEN or PDN's position.
function readPieces(fen) {
  const found = {};
  let at = 0;
  for (const [, side, list] of fen.matchAll(/:(.)([^:]*)/g)) {
    for (const [, king, square] of list.matchAll(/(K?)(\w\d)/g)) found[square] = (king ? 'Dd' : 'Mm')[+(side !== 'W')];
  }
  if (!fen.includes(':')) for (const letter of fen.split(' ')[0]) {
    if (+letter) at += +letter;
    else if (letter !== '/') found['abcdefgh'[at % 8] + (8 - (at++ >> 3))] = letter;
  }
  return found;
}

// The squares a move touched. In Chess960 a castling king takes its rook.
function marksOf({path, captured = [], uci, san, rules}) {
  const castling = rules === 'chess960' && /O-O(-O)?/.exec(san);
  const to = castling ? (castling[1] ? 'c' : 'g') + uci[1] : uci?.slice(2, 4);
  path ||= to && to !== '00' ? [uci.slice(0, 2), to] : [];
  return [...path.map(square => [square, 'last']), ...captured.map(square => [square, 'taken'])];
}

// Squares and arrows of an annotator.
const SHAPES = /\[%c[sa]l\s([^\]]*)\]/g;
const shapesOf = ({comment_before, comment, comment_after}) =>
  [...`${[comment_before, comment, comment_after]}`.matchAll(SHAPES)].flatMap(([, list]) =>
    [...list.matchAll(/(\w)([a-h][1-8])([a-h][1-8])?/g)].map(([, colour, square, to]) => [square, `shape ${colour}`, to]));

// A piece keeps its element, so that its move is animated.
function draw(board, fen, marks, flipped) {
  const wanted = readPieces(fen), stand = {}, loose = {};
  const put = (element, square, to = square) => {
    const [x, y, toX, toY] = [...square + to].map((sign, nth) =>
      Math.abs((flipped ? 7 : 0) - (nth % 2 ? 8 - sign : sign.charCodeAt() - 97)));
    element.style.transform = `translate(${x * 100}%,${y * 100}%)`;
    if (to !== square) {
      element.classList.add('arrow');
      element.style = `left:${x * 12.5 + 6.25}%;top:${y * 12.5}%;width:${Math.hypot(toX - x, toY - y) * 12.5}%;`
        + `transform:rotate(${Math.atan2(toY - y, toX - x)}rad)`;
    }
    return element;
  };
  board.querySelectorAll('i').forEach(mark => mark.remove());
  board.prepend(...marks.map(([square, name, to]) => put(make('i', name), square, to)));
  for (const [square, man] of Object.entries(board.men || {})) {
    if (wanted[square] === man.letter) stand[square] = man;
    else (loose[man.letter] ||= []).push(man);
  }
  for (const [square, letter] of Object.entries(wanted)) {
    const lower = letter.toLowerCase();
    const man = stand[square] ||= loose[letter]?.pop() || make('b', {letter, className: (letter === lower ? 'b' : 'w') + lower});
    if (!put(man, square).parentNode) board.append(man);
  }
  Object.values(loose).flat().forEach(man => man.remove());
  board.men = stand;
}

function playerOf(side, {title, name, rating, from}, result, clock) {
  const score = known(result) && /^[^*]/.test(result) ? resultText(result).split('–')[side === 'black' ? 1 : 0] : '';
  return make('div', `player ${side}${score === '1' ? ' won' : ''}`, span('score', score), span('title', title), span('name', name),
    make('span', 'extra', span('rating', known(rating)), span('from', from)), clock);
}

const clocksOf = () => SIDES.map(side => make('span', `clock ${side}`));

// The time of the last record of a game's line; without new records clocks are not extrapolated.
const newsOf = row => row && ((row[8] + live.epoch) * 1000 || live.updated);
const OLD = 5 * 6e4;

function setClocks(clocks, shown, runner, at, news) {
  const fresh = now() - news < OLD, until = fresh ? now() : news || at;
  clocks.forEach((clock, nth) => {
    const counts = runner && runner[0] === SIDES[nth][0], seconds = shown[nth];
    write(clock, clockText(counts && seconds ? seconds - Math.max(0, until - at) / 1000 : seconds));
    clock.dataset.running = Boolean(counts && fresh);
  });
}

// - The tree of a game

// Gives each move a place with its neighbours.
function tree() {
  main = [{address: '0', ply: 0, half: game.half, fen: game.fen, options: [], broken: true}];
  places = {0: main[0]};
  const grow = (moves, before, instead, prefix) => {
    let first;
    moves.forEach((move, at) => {
      const place = {move, before, instead, fen: move.fen || '', half: before.half + 1,
        number: before.half + 2 >> 1, white: !(before.half % 2), ply: move.ply || before.ply + 1};
      place.first = first ||= place;
      place.address = instead ? `${prefix}-${at + 1}` : `${place.ply}`;
      places[place.address] = place;
      if (!instead || at) before.next = place;
      place.options = (move.variations || []).filter(line => line.length)
        .map((line, nth) => grow(line, before, place, `${place.address}-${nth + 1}`));
      if (!instead) main.push(place);
      before = place;
    });
    return first;
  };
  grow(game.moves, main[0]);
}

const moveText = ({san, notation, uci}) => san || notation || uci || '?';
const numberText = place => place.number + (place.white ? '.' : '...');
const placeText = place => place.move ? `${numberText(place)} ${moveText(place.move)}` : t('the start');

function spoken(place) {
  const words = moveText(place.move)
    .replace(/O-O-O|O-O|--|[KQRBNx:=+#-]/g, sign => `${/[+#]/.test(sign) ? ',' : ''} ${t(SPOKEN[sign] || PIECES[sign.toLowerCase()])} `)
    .replace(/ +(?=[ ,])/g, '').trim();
  const {seconds} = place.move;
  return `${t(place.white ? 'White' : 'Black')}, ${t('move $', place.number)}: ${words}`
    + (seconds == null ? '' : `, ${t('clock')} ${clockText(seconds)}`);
}

// - The moves as text

// Commands for shapes are removed, since the shapes are drawn; other text stays.
const commentOf = text =>
  span('comment', text?.replace(SHAPES, '').replace(/\[%eval ([^\]]*)\]/g, '$1').trim());

const nagOf = nag => make('span', {className: 'nag', title: t(game.nags[nag][1])}, game.nags[nag][0]);

// Anomalies and rulings, with the position at that time.
const anomaliesAt = test => game.anomalies.filter(test).map(({kind, detail, placement}) => {
  const text = detail ? `${t(kind)}: ${detail}` : t(kind), picture = make('div', 'board');
  if (!placement) return span(`anomaly ${kind}`, text);
  draw(picture, placement, []);
  return fold('anomaly', text, picture);
});

// The certainty of a move: always for arbiters, else only of doubtful moves; alternatives open at a tap.
function doubtOf({link, move}) {
  const percent = (each, digits) => `${+(100 * each.certainty).toFixed(digits)} %`;
  const all = [move, ...move.alternatives || []].map(each => `${moveText(each)} ${percent(each, 2)}`).join(', ');
  if (arbiter) return span('doubt', all);
  return move.certainty < .9 && (marks[link.hash + all] ||= fold('doubt quiet', percent(move), all));
}

// Writes a line from `place` on.
function writeLine(place, into) {
  for (; place; place = place.next) {
    const {move, options, ply} = place, main = !place.instead, before = commentOf(move.comment_before);
    const numbered = place.white || place === place.first || place.before.broken || before;
    place.link = link(`#game-${game.id}/${place.address}`, 'move', moveText(move));
    const cell = make('span', place.white ? 'cell' : 'cell right', place.link, ...(move.nags || []).map(nagOf),
      span('doubt', move.guess && t('guess')), move.certainty && doubtOf(place),
      span('claim', move.claim && t('$ can be claimed', t(move.claim))),
      span('time', main && clockText(move.seconds)));
    const after = [commentOf(move.comment), ...(main ? anomaliesAt(each => each.ply === ply) : []),
      ...options.map(option => writeLine(option, make('div', 'variation'))), commentOf(move.comment_after)].filter(Boolean);
    place.broken = after.length > 0;
    const parts = [before, span('number', numbered && numberText(place)), cell, ...after];
    into.append(...parts.filter(Boolean).flatMap(part => [part, ' ']));
  }
  return into;
}

// - The game on the screen

let game, marks = {}, main = [], places, place, wanted, seen, flipped, playing, addressing;
const {content} = document.getElementById('view'), view = [...content.children];
const {desk, board, bar, play, follow, notice, later, moves, opening, ending, score, best, pv, graph, slider, doubts, downloads, address,
  code, analyse, tags, back, earlier, next, heading, age, links, voice} =
  Object.fromEntries([...content.querySelectorAll('[class]')].map(part => [part.className, part]));
const clocks = clocksOf();

const tagOf = name => game.tags.find(([tag]) => tag === name)?.[1];
const last = () => main.at(-1);
const listening = () => document.body.dataset.state === 'listen';

function writeAbout() {
  const seat = seatOf(game), names = ['White', 'Black'].map(tag => known(tagOf(tag)) || '');
  ['White', 'Black'].forEach((tag, side) => {
    clocks[side].parentNode?.remove();
    const [title, rating, ...from] = ['Title', 'Elo', 'Federation', 'Team'].map(what => known(tagOf(tag + what)));
    desk.append(playerOf(SIDES[side], {title, name: names[side] || t(tag), rating, from: from.filter(Boolean).join(', ')},
      game.result, clocks[side]));
  });
  const players = playersOf(...names, seat), result = known(game.result) && game.result !== '*' ? resultText(game.result) : '';
  write(heading, players);
  document.title = [game.table && seat, players].filter(Boolean).join(': ') + (result && `, ${result}`);
  write(ending, game.ending.map((part, nth) => nth ? ` (${t(part)})` : resultText(t(part))).join(''));
  write(opening, [tagOf('ECO'), [tagOf('Opening'), tagOf('Variation')].filter(Boolean).join(': ')].filter(known).join(' '));
  const doubted = (game.doubts || 0) + (arbiter && game.slight || 0);
  write(doubts, doubted ? t('Not certain: $, marked in the moves.', doubted) : '');
  // The last item is the game's text.
  downloads.replaceChildren(...(game.download || []).map((file, nth) => make('a', {
    href: file,
    download: file,
    onclick: ({target}) => { if (single || nth) target.href = URL.createObjectURL(new Blob([game.pgn || game.pdn])); },
  }, file)));
  // Fields for readers of files are not shown.
  const shown = game.tags.map(([tag, value]) => [tag, /Date$/.test(tag) ? dateText(value) : tag === 'Result' ? resultText(value.replace('*', '')) : value]);
  tags.replaceChildren(...shown.filter(([, value]) => known(value)).map(row => make('tr', '', make('th', '', t(row[0])), make('td', '', row[1]))));
}

for (const button of content.querySelectorAll('.copy')) {
  button.onclick = () => { button.previousElementSibling.select(); document.execCommand('copy'); };
}

// - The graph, which is a slider too

const scoreAt = ply => game.evals?.[ply]?.[0];

function drawGraph() {
  const plies = last().ply, most = Math.max(...main.map(({move}) => move?.seconds || 0));
  const points = main.flatMap(({ply}) => scoreAt(ply) == null ? [] : `${ply},${100 - share(scoreAt(ply))}`);
  const line = side => main.flatMap(({ply, move, half}) =>
    move?.seconds == null || half % 2 === side ? [] : `${ply},${100 - 98 * move.seconds / most}`).join(' ');
  const [area, white, black] = graph.querySelectorAll('polygon, polyline');
  area.setAttribute('points', points[0] ? `0,100 0,${points[0].split(',')[1]} ${points.join(' ')} ${parseFloat(points.at(-1))},100` : '');
  white.setAttribute('points', most ? line(0) : '');
  black.setAttribute('points', most ? line(1) : '');
  area.parentNode.setAttribute('viewBox', `0 0 ${plies || 1} 100`);
  slider.max = plies;
  graph.hidden = plies < 2 || !most && !points[0];
  graph.classList.toggle('timed', most > 0);
  evaluated(points[0]);
}

best.ontoggle = () => think();
slider.oninput = () => go(main[slider.value]);

// The evaluation at the place, with the engine's next moves.
function think() {
  const [value, depth, line, bound] = place.instead ? [] : game.evals?.[place.ply] || [];
  setBar(bar, value);
  write(score, scoreText(value, bound));
  score.title = value == null ? '' : [game.engine, depth && t('depth $', depth)].filter(Boolean).join(', ');
  best.hidden = !line;
  const numbered = (san, nth) => {
    const half = place.half + nth, number = (half >> 1) + 1;
    return half % 2 ? (nth ? san : `${number}... ${san}`) : `${number}. ${san}`;
  };
  if (best.open) write(pv, line ? line.split(' ').map(numbered).join(' ') : '');
  bar.ariaLabel = score.textContent;
  if (graph.hidden) return;
  slider.value = place.ply;
  slider.ariaValueText = [placeText(place), score.textContent].filter(Boolean).join(', ');
}

function writeMoves() {
  moves.replaceChildren(commentOf(game.comment), ' ', ...anomaliesAt(({ply}) => !ply));
  writeLine(main[1], moves);
  moves.append(...anomaliesAt(({ply}) => ply > last().ply));
  moves.ariaBusy = false;
}

function showPlace() {
  draw(board, place.fen, [...marksOf({...place.move, rules: game.rules}), ...shapesOf(place.move || game)], flipped);
  for (const cell of desk.querySelectorAll('[id]')) {
    const letter = board.men[cell.id]?.letter, lower = letter?.toLowerCase();
    write(cell, letter ? t(`${letter === lower ? 'black' : 'white'} ${PIECES[lower]}`) : '');
  }
  board.ariaLabel = t('Position after $', placeText(place));
}

function point() {
  place.link?.setAttribute('aria-current', 'true');
  const {offsetTop = 0, offsetHeight = 0} = place.link || {}, {scrollTop, clientHeight} = moves;
  if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight) moves.scrollTop = offsetTop - clientHeight / 2;
}

// Shows a place. Only `end` follows the game: other steps are the visitor's.
function go(to, listen) {
  playOn(false);
  if (!to) return;
  place?.link?.removeAttribute('aria-current');
  place = to;
  document.body.dataset.state = listen ? 'listen' : 'custom';
  showPlace();
  code.value = place.fen;
  const rules = {chess: 'standard', chess960: 'chess960'}[game.rules];
  analyse.hidden = !rules;
  analyse.href = `https://lichess.org/analysis/${rules}/${place.fen.replaceAll(' ', '_')}`;
  think();
  if (listen) seen = last().ply;
  else wanted = '';
  const news = last().ply - seen;
  follow.hidden = single || listen || game.over;
  write(follow, t('Follow the game') + (news > 0 ? ` (${t('$ new: $', news, placeText(last()))})` : ''));
  write(notice, '');
  tickGame();
  // Last, since it reads the layout, which is then computed only once.
  if (moves.ariaBusy !== 'true') point();
  // Browsers limit the number of changes of the address.
  clearTimeout(addressing);
  addressing = setTimeout(() => {
    history.replaceState(null, '', `#game-${game.id}${listen ? '' : `/${to.address}`}`);
    address.value = location.href;
  }, 200);
}

const end = () => go(last(), true);

function playOn(on) {
  clearTimeout(playing);
  playing = on && place.next && setTimeout(() => { go(place.next); playOn(true); }, 1000);
  play.ariaPressed = Boolean(playing);
}

function aside(down) {
  const lines = place.instead ? [place.instead, ...place.instead.options] : [];
  const at = lines.indexOf(place.first);
  if (down) return place.options[0] || lines[at + 1];
  return place === place.first ? lines[at - 1] : place.instead && place.first;
}

const rowIn = state => state?.games.find(([id]) => id === game.id);

// The clocks at the place, or the game's at its end.
function tickGame() {
  const clock = place === last() && game.clock || {}, known = {};
  for (let at = place; at; at = at.before) known[SIDES[at.half % 2 ^ 1]] ??= at.move?.seconds;
  const shown = SIDES.map(side => clock[side] ?? known[side]);
  setClocks(clocks, shown, !game.over && clock.running, clock.at, newsOf(rowIn(live)));
}

const KEYS = {ArrowLeft: () => go(place.before), ArrowRight: () => go(place.next), Home: () => go(main[0]), End: end,
  ArrowUp: () => go(aside()), ArrowDown: () => go(aside(true)), ' ': () => playOn(!playing),
  f: () => { flipped = desk.classList.toggle('flipped'); showPlace(); }, e: () => toggle.click()};
for (const button of desk.querySelectorAll('[data-key]')) button.onclick = KEYS[button.dataset.key];

function keyed(event) {
  const {key, target: {tagName}} = event;
  if (!game || !KEYS[key] || event.altKey || event.ctrlKey || event.metaKey) return;
  if (tagName === 'INPUT' || /BUTTON|SUMMARY/.test(tagName) && key === ' ') return;
  const from = place;
  KEYS[key]();
  if (place !== from || key === ' ') event.preventDefault();
}

// A tap on the right half goes to the next move, as does a swipe to the left.
let pressed;
board.onpointerdown = ({clientX}) => { pressed = clientX; };
board.onpointerup = ({clientX}) => {
  const swiped = clientX - pressed, box = board.getBoundingClientRect();
  go((Math.abs(swiped) > 30 ? swiped < 0 : clientX > box.left + box.width / 2) ? place.next : place.before);
};

function openGame(opened) {
  game = opened;
  tree();
  writeAbout();
  moves.replaceChildren();
  moves.ariaBusy = true;
  // Shows the position before the list of moves.
  requestAnimationFrame(() => setTimeout(() => {
    if (!game) return;
    writeMoves();
    point();
  }));
  back.href = single ? '#' : `index.html${arbiter}`;
  back.hidden = single && !games[1];
  age.before(toggle);
  drawGraph();
  neighbours();
  page.replaceChildren(...view);
}

// Applies a newer state; returns what changed.
function update(fresh) {
  if (fresh.version === game.version) {
    game = fresh;
    drawGraph();
    return think();
  }
  const before = main, wasOver = game.over, played = playing, focus = document.activeElement;
  game = fresh;
  tree();
  const key = at => at && moveText(at.move) + at.fen;
  let change = 1;
  while (main[change] && key(main[change]) === key(before[change])) change++;
  const was = before[change], is = main[change], words = [];
  if (was && place.ply >= was.ply) {
    words.push(is ? t('Corrected: $ is now $', placeText(was), placeText(is)) : t('Taken back: $', placeText(was)));
  } else if (listening()) words.push(...main.slice(change).map(spoken));
  writeAbout();
  writeMoves();
  drawGraph();
  if (listening()) end();
  else go(places[place.address] || places[place.address.split('-')[0]] || last());
  playOn(played);
  if (was && words.length) write(notice, words[0]);
  if (game.over && !wasOver) words.push(ending.textContent);
  if (words.length) write(voice, words.join('. '));
  (places[focus.hash?.split('/')[1]]?.link || focus).focus();
}

// - The boards of an event

const cards = new Map(), heads = {}, grid = make('div', 'grid'), wall = +query.get('wall');
const inSight = new IntersectionObserver(seen => seen.forEach(({target: {card}, isIntersecting}) => {
  card.seen = isIntersecting;
  freshen(card);
}), {rootMargin: '300px'});

function cardOf(id, head, version) {
  const card = {version, head, board: make('div', {className: 'board', ariaHidden: true}), bar: barOf(), score: make('span', 'score-text'),
    clocks: clocksOf()};
  card.element = make('a', {className: 'card', href: `game-${id}.html${arbiter}`, card});
  inSight.observe(card.element);
  cards.set(id, card);
  return card;
}

function writeCard({head, board, bar, score, clocks, element, row}) {
  const seat = seatOf(head), nobody = !head.white && !head.black && seat;
  const [white, black] = SIDES.map((side, nth) => playerOf(side, {title: head[`${side}Title`],
    name: nobody ? (nth ? seat : '') : head[side] || t(nth ? 'Black' : 'White'), rating: head[`${side}Elo`], from: head[`${side}From`]}, row[6], clocks[nth]));
  element.replaceChildren(black, make('div', 'pair', board, bar), white, make('p', '', seat && !nobody && `${seat} `, span('san', head.san),
    span('doubt quiet', (head.doubt || arbiter && head.slight) && '?'), score, make('b', '', row[6] === '*' ? t('over') : resultText(row[6]))));
}

// The teams' matches, each with its tables' results so far: a heading before the first of them.
function matches(rows) {
  const found = new Map();
  for (const [id, , , , , , result] of rows) {
    const {head: {teams, whiteFrom, blackFrom, round}} = cards.get(id);
    const both = [whiteFrom, blackFrom], key = teams ? `${round} ${[...both].sort()}` : '';
    const match = found.get(key) || {first: id, both, teams, points: [0, 0], tables: 0};
    found.set(key, match);
    match.tables++;
    const points = /^[01]/.test(result) ? result.split('-').map(each => each === '1/2' ? .5 : +each) : [0, 0];
    if (match.both[0] !== whiteFrom) points.reverse();
    points.forEach((each, nth) => { match.points[nth] += each; });
  }
  const half = points => `${Math.floor(points) || (points % 1 ? '' : 0)}${points % 1 ? '½' : ''}`;
  const list = [...found.values()];
  return new Map(list.some(({teams, tables}) => teams && tables > 1) ? list.map(({first, both, teams, points}) =>
    [first, teams ? `${both[0]} ${half(points[0])} – ${half(points[1])} ${both[1]}` : '']) : []);
}

// A card out of sight is fetched only if its position is unknown.
async function freshen(card) {
  const [id, version] = card.row;
  if (card.drawn === version || card.head.fen && !card.seen) return;
  card.drawn = version;
  if (card.version !== version) {
    const game = await load(`game-${id}`).catch(() => { card.drawn = 0; });
    if (!game) return;
    // An outdated copy from a cache is fetched again.
    card.drawn = card.version = game.version;
    card.head = game.head;
    writeCard(card);
  }
  draw(card.board, card.head.fen, marksOf(card.head));
}

function takeBoards() {
  const games = [...live.games, ...past.games];
  let any;
  games.forEach((row, nth) => {
    const card = cards.get(row[0]) || cardOf(row[0], {}), {row: old} = card, [score] = live.evals?.[nth] || [];
    card.row = row;
    card.element.classList.toggle('over', row[6]);
    if (old?.[6] !== row[6]) writeCard(card);
    freshen(card);
    const shown = nth < live.games.length ? score : card.head.eval;
    setBar(card.bar, shown);
    write(card.score, scoreText(shown));
    any ||= shown != null;
  });
  evaluated(any);
  const rows = wall ? wallOf() : games.filter(([id]) => {
    const {head} = cards.get(id), {white, black, whiteFrom, blackFrom} = head;
    return finds(`${id} ${white} ${black} ${whiteFrom} ${blackFrom} ${seatOf(head)}`);
  });
  const headings = wall ? new Map() : matches(rows);
  const elements = rows.flatMap(([id]) => [headings.has(id) && (heads[headings.get(id)] ||= make('h2', 'match', headings.get(id))),
    cards.get(id).element].filter(Boolean));
  if (elements.length !== grid.children.length || elements.some((element, nth) => element !== grid.children[nth])) grid.replaceChildren(...elements);
  tick();
}

// The last game of each board asked for, by table, or by place.
function wallOf() {
  const ranges = (query.get('boards') || '1-99999').split(',').map(range => range.split('-'));
  const pick = number => live.games.filter((row, nth) =>
    ranges.some(([from, to = from]) => number(row, nth) >= +from && number(row, nth) <= +to));
  const seats = key => pick(([id]) => cards.get(id).head[key]);
  const tables = [...seats('table'), ...query.has('boards') && seats('table')[0] ? [] : seats('board')];
  return (tables[0] ? tables : pick((row, nth) => nth + 1)).slice(0, wall);
}

function fitWall() {
  const sizes = [...grid.children].map((card, at, {length}) =>
    Math.min(innerWidth / (at + 1) - 16, innerHeight / Math.ceil(length / (at + 1)) - 110));
  grid.style.setProperty('--size', `${Math.max(...sizes)}px`);
}

const tables = make('div');

// Rows whose first cell is a place.
const tableOf = (caption, columns, rows) => rows[0] && make('table', 'standings', make('caption', '', caption),
  make('tr', '', ...columns.map(text => make('th', {scope: 'col'}, text))),
  ...rows.map(([place, ...cells]) => make('tr', '', make('td', '', `${place}`), ...cells)));

// The standings: of players with place, title, name, team or federation, rating and points; of teams, where they play
// matches, with place, name, match points and board points.
function writeStandings({rows = [], teams = []}) {
  const cell = (name, ...inside) => make('td', name, ...inside);
  tables.replaceChildren(...[
    tableOf(t('Teams'), ['', t('Team'), t('Match points'), t('Board points')], teams.map(([place, name, won, points]) =>
      [place, cell('', span('name', name)), cell('points', `${won}`), cell('', points)])),
    tableOf(t('Standings'), ['', t('Player'), '', t('Rating'), t('Points')], rows.map(([place, title, name, from, rating, points]) =>
      [place, cell('', span('title', title), ' ', span('name', name)), cell('from', from), cell('', rating), cell('points', points)])),
  ].filter(Boolean));
}

// The front page of an event.
function showEvent({title, rounds, standings, teams}) {
  document.title = title;
  page.querySelector('h1').textContent = title;
  page.querySelector('.rounds').replaceChildren(...rounds.map(([name, address, playing]) =>
    make('li', '', link(address, '', name), span('age', playing && t('$ games in play', playing)))));
  writeStandings({rows: standings, teams});
}

function listGames({heads, title}) {
  const columns = 'id white black result date event eco plies'.split(' ');
  const rows = heads.map(head => columns.map(name => name === 'date' ? dateText(head.date) : name === 'result' ? resultText(head.result)
    : `${head[name] ?? ''}`));
  const body = make('tbody'), tail = make('p');
  let found, shown;
  const more = () => body.append(...found.slice(shown, shown += 200).map(row => make('tr', '',
    ...row.map((text, nth) => make('td', columns[nth], nth < 3 ? link(`#game-${row[0]}`, '', text || '?') : text)))));
  new IntersectionObserver(([{isIntersecting}]) => isIntersecting && more(), {rootMargin: '800px'}).observe(tail);
  (search.oninput = () => {
    found = rows.filter(row => finds(row.join(' ')));
    shown = 0;
    body.replaceChildren();
    more();
  })();
  return [make('header', '', make('h1', '', title), search, links), make('table', 'games', body), tail];
}

// - Following the event

let ranked, live, past = {version: 0, games: []}, skew = 0, heard = Date.now(), failures = 0, stale = 0, misses = 3, timer;
const arrived = {};
window.boardbus = (name, state) => arrived[name]?.(state);

// The server's time, less the delay of the records.
const now = () => Date.now() + skew - (live?.delay || 0) * 1000;

// Browsers refuse to fetch from a folder on a disk.
async function load(name) {
  if (location.protocol === 'file:') {
    return new Promise((resolve, reject) => {
      const script = make('script');
      arrived[name] = resolve;
      script.onload = script.onerror = () => { script.remove(); reject(); };
      script.src = `${name}.js?${Date.now()}`;
      document.head.append(script);
    });
  }
  const answer = await fetch(`${name}.json`, {cache: 'no-cache', signal: AbortSignal.timeout(10000)});
  const {headers} = answer, sent = Date.parse(headers.get('Date')) + 1000 * headers.get('Age');
  skew = sent + 500 - Date.now() || 0;
  return answer.json();
}

const loadPast = async () => past.version === live.past ? past : past = await load('past');

async function poll() {
  clearTimeout(timer);
  if (document.hidden) return;
  let pause = live.refresh * 1000;
  try {
    const fresh = await load(kind === 'event' ? kind : 'live');
    if (kind === 'event') {
      live = fresh;
      showEvent(live);
    } else
    // Caches may deliver an older state; one that stays older is a new run's.
    if (!(fresh.updated < live.updated) || ++stale > 4) {
      stale = 0;
      // Files change once a second: the next state is fetched a little early, and again.
      misses = fresh.version === live.version ? misses + 1 : 0;
      pause *= [.45, .1, .5, .5, .5][misses] ?? 1;
      live = fresh;
      if (game) await followGame();
      else {
        await loadPast().then(takeBoards);
        if (live.standings && live.standings !== ranked) {
          writeStandings(await load('standings'));
          ranked = live.standings;
        }
      }
    }
    heard = Date.now();
    failures = 0;
  } catch {
    pause *= Math.min(2 ** ++failures, 8);
  }
  clearTimeout(timer);
  timer = setTimeout(poll, pause);
}

// The games before and after this one in the overview.
function neighbours() {
  const all = single ? [...games].map(({id}) => id.slice(5)) : live ? [...live.games, ...past.games].map(([id]) => id) : [];
  const at = all.indexOf(game.id);
  [earlier, next].forEach((link, nth) => {
    const id = at < 0 ? undefined : all[at + 2 * nth - 1];
    link.hidden = !id;
    link.href = single ? `#game-${id}` : `game-${id}.html${location.search}`;
  });
}

async function followGame() {
  const {id} = game, boardOf = ([id]) => id.replace(/-[\d.]+$/, '');
  const now = live.games.find(row => boardOf(row) === boardOf([id])), row = rowIn(live) || rowIn(await loadPast());
  Object.assign(later, {hidden: !now || now === row, href: `game-${now?.[0]}.html${location.search}`});
  neighbours();
  const [, judged = game.judged] = live.evals?.[live.games.indexOf(row)] || [];
  if (!row) update({...game, version: undefined, over: true, ending: ['There was no such game.']});
  else if (row[1] !== game.version || judged !== game.judged) {
    const fresh = await load(`game-${id}`);
    if (fresh.version >= Math.min(game.version || 0, row[1])) update(fresh);
  }
  if (wanted) {
    places[wanted] ? go(places[wanted]) : write(notice, t('The move of this link is not in the game.'));
    wanted = '';
  }
}

function tick() {
  if (game) tickGame();
  for (const {clocks, row} of cards.values()) {
    setClocks(clocks, row.slice(3, 5), row[5], (row[7] + live.epoch) * 1000, newsOf(row));
  }
  if (!live?.games) return;
  const news = game && newsOf(rowIn(live)) || live.updated, running = game ? !game.over : live.games.some(row => !row[6]);
  write(age, failures ? ageText(heard, Date.now(), 'No answer for $; trying again.', 'No answer since $; trying again.')
    : running && now() - news > OLD ? ageText(news, now(), 'Last news $ ago.', 'Last news $.') : '');
}

const games = document.querySelectorAll('script[id^=game-]');
let list;
function route() {
  const [, id = games[1] ? '' : games[0]?.id.slice(5), address] = /^#game-([^/]+)\/?([\d-]*)$/.exec(location.hash) || [];
  const opened = single && data(`game-${id}`);
  if (single && !opened) {
    clearTimeout(addressing);
    game = undefined;
    return page.replaceChildren(...list ||= listGames(data('index')));
  }
  if (single && game?.id !== id) openGame(opened);
  const to = places[address];
  if (to || single) go(to || main[0]);
  else end();
  // The page may be older than the position in a link.
  wanted = !to && address;
}

// The words of the skeleton.
for (const part of content.querySelectorAll('*')) {
  for (const name of ['title', 'aria-label', 'placeholder']) part.hasAttribute(name) && part.setAttribute(name, t(part.getAttribute(name)));
  if (!part.firstElementChild && part.textContent) write(part, t(part.textContent));
}
links.append(...(look.links || []).map(([name, address]) => Object.assign(link(address, '', name), {rel: 'noopener'})));
if (look.logo) document.body.prepend(make('img', {className: 'logo', src: look.logo, alt: ''}));

document.body.className = query.has('embed') ? 'embed' : wall ? 'wall' : '';
// The pending address of a step must not replace a later one.
for (const leaving of ['click', 'popstate']) addEventListener(leaving, () => clearTimeout(addressing), true);
if (kind === 'event') {
  live = data('event');
  page.append(make('header', '', make('h1'), links), make('ul', 'rounds'), tables);
  showEvent(live);
} else if (kind === 'index') {
  let title, heads, standings;
  ({title, heads, live, past, standings} = data('index'));
  ranked = live.standings;
  writeStandings(standings || {});
  [...live.games, ...past.games].forEach(([id, version], nth) => cardOf(id, heads[nth], version));
  page.append(make('header', '', make('h1', '', title), search, toggle, links, age), grid, tables);
  search.oninput = takeBoards;
  takeBoards();
  fitWall();
  addEventListener('resize', fitWall);
} else {
  live = data('live');
  if (!single) openGame(data(`game-${page.dataset.id}`));
  addEventListener('hashchange', route);
  addEventListener('keydown', keyed);
  route();
}
if (live?.refresh) {
  poll();
  document.addEventListener('visibilitychange', poll);
}
setInterval(tick, 250);
})();
