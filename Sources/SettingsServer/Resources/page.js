// The page works without this. It shows a slider's number, marks and counts what was changed, and follows the store.
const { body } = document
const news = document.getElementById('news')
const all = (selector, root = document) => [...root.querySelectorAll(selector)]
const isOther = field =>
  /^(radio|checkbox)$/.test(field.type) ? field.checked !== field.defaultChecked
  : field.tagName === 'SELECT' ? [...field.options].some(option => option.selected !== option.defaultSelected)
  : field.value !== field.defaultValue
const fields = 'main :is(input, select, textarea)[name]:not([type=hidden])'
const changed = () => new Set([...all(fields).filter(isOther).map(f => f.closest('.row, li, fieldset') ?? f), ...all('[data-typed]')])
const show = () => {
  const rows = changed()
  all('.settings .row').forEach(row => row.classList.toggle('drafted', rows.has(row)))
  document.getElementById('count')?.replaceChildren(['', '1 change'][rows.size] ?? `${rows.size} changes`)
}
const say = (words, isQuiet = false) => { [news.className, news.textContent] = [isQuiet ? 'unseen' : '', words] }

let isSent = false
document.documentElement.classList.add('scripted')
addEventListener('input', ({ target: field }) => {
  const other = document.getElementById(field.dataset.for) ?? all('[data-for]').find(slider => slider.dataset.for === field.id)
  if (other) other.value = field.value
  show()
})
addEventListener('submit', () => { isSent = true })
addEventListener('pageshow', () => { isSent = false; show() })
addEventListener('beforeunload', event => {
  if (!isSent && document.querySelector('.settings') && changed().size > 0) event.preventDefault()
})
const login = document.getElementById('login')
if (login && location.hash.length > 1) {
  login.elements.token.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname + location.search)
  login.submit()
}

// Shows the last version in place, unless somebody has begun to change something.
const follow = async version => {
  const { version: old, news: address, showsNews } = body.dataset
  if (version === old) return
  const words = await (await fetch(`${address}?since=${old}`)).text()
  const answer = showsNews === undefined ? undefined : await fetch(location.href)
  if (answer?.redirected || answer?.ok === false) return changed().size > 0 ? say(words) : location.reload()
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (!page || changed().size > 0) return say(`${words} Your changes stay here.`)
  const [at, isOpen] = [document.activeElement, document.querySelector('main details')?.open]
  for (const part of ['main', 'footer', 'header nav']) document.querySelector(part).replaceWith(page.querySelector(part))
  if (isOpen) document.querySelector('main details').open = true
  body.dataset.version = page.body.dataset.version
  const same = one => at.id ? one.id === at.id : one.outerHTML === at.outerHTML
  if (!body.contains(at)) all('main :is(a, button, input, select, textarea, summary)').find(same)?.focus({ preventScroll: true })
  show()
  say(words, true)
}
if (body.dataset.events) {
  const stream = new EventSource(body.dataset.events)
  let [work, lost] = [Promise.resolve()]
  stream.addEventListener('version', event => { work = work.then(() => follow(event.data)).catch(() => {}) })
  stream.addEventListener('open', () => { clearTimeout(lost); if (lost) say(''); lost = undefined })
  stream.addEventListener('error', () => {
    lost ??= setTimeout(() => say(stream.readyState === EventSource.CLOSED
      ? 'This page does not follow the store any more; you may be signed out. What was typed is still here.'
      : 'The server does not answer. What was typed is still here, and the page follows again once it does.'), 3000)
  })
}
