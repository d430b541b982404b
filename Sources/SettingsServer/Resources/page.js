// The page works without this. It shows a slider's number, marks and counts what was changed, and follows the store.
const { body } = document
const news = document.getElementById('news')
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const isOther = field =>
  /^(radio|checkbox)$/.test(field.type) ? field.checked !== field.defaultChecked
  : field.tagName === 'SELECT' ? [...field.options].some((o, i) => o.selected !== (o.defaultSelected || (!i && !field.querySelector('[selected]'))))
  : field.value !== field.defaultValue
const changed = () =>
  new Set([...all('main :is(input, select, textarea)[name]:not([type=hidden])').filter(isOther).map(f => f.closest('.row, li, fieldset') ?? f),
    ...all('[data-typed]')])

const show = () => {
  const rows = changed()
  all('.settings .row').forEach(row => {
    row.classList.toggle('drafted', rows.has(row))
    all('.changed', row).forEach(word => { word.hidden = !rows.has(row) })
  })
  document.querySelector('.settings > .review')?.classList.toggle('shown', rows.size > 0)
  document.getElementById('count')?.replaceChildren(rows.size === 0 ? '' : rows.size === 1 ? '1 change' : `${rows.size} changes`)
}
const say = (words, isQuiet = false) => {
  news.className = isQuiet ? 'unseen' : ''
  news.textContent = words
}

let isSent = false
document.documentElement.classList.add('scripted')
addEventListener('input', event => {
  const { target: field } = event
  const other = field.type === 'range' ? document.getElementById(field.dataset.for) : field.id && document.querySelector(`[data-for="${CSS.escape(field.id)}"]`)
  if (other) other.value = field.value
  show()
})
addEventListener('submit', () => { isSent = true })
addEventListener('beforeunload', event => { if (!isSent && document.querySelector('.settings') && changed().size > 0) event.preventDefault() })
addEventListener('pageshow', () => { isSent = false; show() })

const login = document.getElementById('login')
if (login && location.hash.length > 1) {
  login.elements.token.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname + location.search)
  login.submit()
}

// Shows the new version in place, unless somebody has begun to change something.
const follow = async version => {
  const { version: old, news: address, showsNews } = body.dataset
  if (version === old) return
  const words = await (await fetch(`${address}?since=${old}`)).text()
  const answer = showsNews === undefined ? undefined : await fetch(location.href)
  if (answer?.redirected || answer?.ok === false) return location.reload()
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (!page || changed().size > 0) return say(`${words} Your changes stay here.`)
  const at = document.activeElement
  const isOpen = document.querySelector('main details')?.open
  for (const part of ['main', 'footer', 'header nav']) document.querySelector(part).replaceWith(page.querySelector(part))
  if (isOpen) document.querySelector('main details').open = true
  body.dataset.version = page.body.dataset.version
  const again = at.id ? document.getElementById(at.id) : all('main :is(a, button, input)').find(one => one.outerHTML === at.outerHTML)
  if (!body.contains(at)) again?.focus({ preventScroll: true })
  show()
  say(words, true)
}
if (body.dataset.events) {
  const stream = new EventSource(body.dataset.events)
  let [work, lost] = [Promise.resolve()]
  stream.addEventListener('version', event => { work = work.then(() => follow(event.data)).catch(() => {}) })
  stream.addEventListener('open', () => { clearTimeout(lost); if (lost) say(''); lost = undefined })
  stream.addEventListener('error', () => {
    lost ??= setTimeout(() => say('The server does not answer. Your changes stay here, and the page follows again once it does.'), 3000)
  })
}
