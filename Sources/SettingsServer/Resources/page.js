// The page works without this. It shows a slider's number, marks and counts what was changed, and follows the store.
const [body, all] = [document.body, selector => [...document.querySelectorAll(selector)]]
const isOther = field => field.options ? [...field.options].some(option => option.selected !== option.defaultSelected)
  : /^(radio|checkbox)$/.test(field.type) ? field.checked !== field.defaultChecked : field.value !== field.defaultValue
const changed = () => new Set([...all('[data-typed]'), ...all('main :is(input, select, textarea)[name]:not([type=hidden])')
  .filter(isOther).map(field => field.closest('.row, li, fieldset') ?? field)])
const show = () => {
  const rows = changed()
  all('.settings .row').forEach(row => row.classList.toggle('drafted', rows.has(row)))
  document.getElementById('count')?.replaceChildren(['', '1 change'][rows.size] ?? `${rows.size} changes`)
}
const say = (words, isQuiet) => Object.assign(document.getElementById('news'), { textContent: words, className: isQuiet ? 'unseen' : '' })
document.documentElement.classList.add('scripted')
addEventListener('input', ({ target: field }) => {
  const stays = label => label.textContent.toLowerCase().includes(field.value.toLowerCase()) || label.querySelector(':checked')
  if (field.id === 'filter') all('.radio').forEach(label => { label.hidden = !stays(label) })
  const other = document.getElementById(field.dataset.for) ?? all('[data-for]').find(slider => slider.dataset.for === field.id)
  if (other) other.value = field.value
  show()
})
const warn = event => { if (document.querySelector('.settings') && changed().size > 0) event.preventDefault() }
addEventListener('submit', () => removeEventListener('beforeunload', warn))
const login = location.hash.length > 1 && document.getElementById('login')
if (login) {
  login.elements.token.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname + location.search)
  login.submit()
}
// Shows the last version in place, unless somebody has begun to change something.
const follow = async () => {
  const { version: old, news: address, showsNews } = body.dataset
  const words = await fetch(`${address}?since=${old}`).then(answer => answer.text())
  const answer = showsNews === undefined || changed().size > 0 ? undefined : await fetch(location.href)
  if (answer?.redirected || answer?.ok === false) return location.reload()
  const page = answer && new DOMParser().parseFromString(await answer.text(), 'text/html')
  if (!page || changed().size > 0) return say(`${words} Your changes are kept.`)
  const [at, isOpen] = [document.activeElement, document.querySelector('main details')?.open]
  for (const part of ['main', 'footer', 'header nav']) document.querySelector(part).replaceWith(page.querySelector(part))
  if (isOpen) document.querySelector('main details').open = true
  body.dataset.version = page.body.dataset.version
  const same = one => at.id ? one.id === at.id : one.outerHTML === at.outerHTML
  if (!body.contains(at)) all('main :is(a, button, input, select, textarea, summary)').find(same)?.focus({ preventScroll: true })
  say(words, true)
}
// A browser has six connections for all pages: one that is hidden keeps none, one without the focus for a minute looks every 30 s.
let [work, idle, stream, lost] = [Promise.resolve(), 0]
const leave = () => fetch(location.href).then(({ url }) => { if (/\/login\?/.test(url)) location.replace(url) })
const listen = isBack => {
  stream?.close()
  if (document.hidden || !body.dataset.events) return
  stream = new EventSource(body.dataset.events)
  stream.addEventListener('version', event => { work = work.then(() => event.data === body.dataset.version || follow()).catch(() => {}) })
  stream.onopen = () => { if (lost) say(''); lost = clearTimeout(lost) }
  stream.onerror = () => {
    lost ??= setTimeout(say, 3000, 'The server does not answer, or you are signed out. Your input is kept.')
    if (stream.readyState === EventSource.CLOSED && (isBack || changed().size === 0)) leave()
  }
}
addEventListener('pageshow', ({ persisted }) => { addEventListener('beforeunload', warn); show(); listen(persisted) })
addEventListener('pagehide', () => { stream?.close(); all('[type=password]').forEach(field => { field.value = '' }) })
for (const name of ['visibilitychange', 'focus']) addEventListener(name, () => { idle = 0; listen() })
const look = () => { listen(); setTimeout(() => idle && stream?.close(), 2000) }
setInterval(() => { idle = document.hasFocus() ? 0 : idle + 1; if (idle > 2) look() }, 30_000)
