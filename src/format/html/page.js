// Shows what the records say; a place-holder that lists the games.
'use strict';
const main = document.getElementById('page');
const read = id => JSON.parse((document.getElementById(id) || {textContent: 'null'}).textContent);
const index = read('index');
const list = document.createElement('ul');
for (const head of index ? index.heads : [read('game-' + main.dataset.id)]) {
  const item = document.createElement('li');
  item.textContent = [head.id, head.white, head.black, head.result].join(' ');
  list.append(item);
}
main.append(list);
