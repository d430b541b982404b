// The page works without this. It shows a slider's number, counts what was changed, and follows the store.
const form = document.querySelector('form.settings')
const fields = form ? [...form.querySelectorAll('input[name],select[name],textarea[name]')].filter(f => f.type !== 'hidden') : []
const isOther = field =>
  field.type === 'radio' ? field.checked !== field.defaultChecked
  : field.tagName === 'SELECT' ? [...field.options].some(o => o.selected !== o.defaultSelected)
  : field.value !== field.defaultValue

const show = () => {
  const rows = new Set(fields.filter(isOther).map(field => field.closest('.row')))
  form.querySelectorAll('.row').forEach(row => {
    row.classList.toggle('drafted', rows.has(row))
    const word = row.querySelector('.changed')
    if (word) word.hidden = !rows.has(row)
  })
  const bar = form.querySelector('.review')
  if (bar) bar.classList.toggle('shown', rows.size > 0)
  document.getElementById('count')?.replaceChildren(rows.size === 1 ? '1 change' : `${rows.size} changes`)
  return rows.size
}

if (form) {
  document.documentElement.classList.add('scripted')
  form.querySelectorAll('input[type=range]').forEach(range => {
    const number = document.getElementById(range.dataset.for)
    range.addEventListener('input', () => { number.value = range.value; show() })
    number.addEventListener('input', () => { range.value = number.value })
  })
  form.addEventListener('input', show)
  let isSent = false
  form.addEventListener('submit', () => { isSent = true })
  addEventListener('beforeunload', event => { if (!isSent && show() > 0) event.preventDefault() })
  addEventListener('pageshow', show)
}

const login = document.getElementById('login')
if (login && location.hash.length > 1) {
  login.elements.token.value = location.hash.slice(1)
  history.replaceState(null, '', location.pathname + location.search)
  login.submit()
}

const { version, events } = document.body.dataset
if (events) {
  new EventSource(events).addEventListener('version', event => {
    if (event.data === document.body.dataset.version) return
    if (!form || show() === 0) return location.reload()
    const news = document.getElementById('news')
    news.textContent = 'Somebody recorded a new version. Your changes stay here.'
    news.hidden = false
  })
}
