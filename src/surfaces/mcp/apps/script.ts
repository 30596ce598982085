// The script of the apps, as text: it runs in a frame of a host, not here. It speaks with its host by messages alone (MCP Apps, 2026-01-26), and what comes
// from the server gets into the page as text, never as HTML. It asks its host for one thing: to open an address of this server.
export const script = `
const words = {
  en: { bug: 'Bug', by: 'by', severity: 'Severity', status: 'Status', votes: 'Votes', open: 'Open the page', added: 'New', removed: 'Gone',
    kept: 'As before', none: 'No permissions change', decide: 'Look and decide', waits: 'It waits for your yes', until: 'until', wants: 'wants to',
    nothing: 'Nothing is waiting', wait: 'Loading', failed: 'There is nothing to show: the answer says why', from: 'before', to: 'then',
    low: 'low', medium: 'medium', high: 'high', critical: 'critical', state_open: 'open', in_progress: 'in progress', resolved: 'resolved', closed: 'closed' },
  de: { bug: 'Fehler', by: 'von', severity: 'Schwere', status: 'Status', votes: 'Stimmen', open: 'Seite öffnen', added: 'Neu', removed: 'Entfallen',
    kept: 'Wie zuvor', none: 'An den Rechten ändert sich nichts', decide: 'Ansehen und entscheiden', waits: 'Es wartet auf dein Ja', until: 'bis', wants: 'möchte',
    nothing: 'Nichts zu tun', wait: 'Lädt', failed: 'Es gibt nichts zu zeigen: die Antwort sagt warum', from: 'bisher', to: 'dann',
    low: 'gering', medium: 'mittel', high: 'hoch', critical: 'kritisch', state_open: 'offen', in_progress: 'in Arbeit', resolved: 'gelöst', closed: 'geschlossen' },
}
const root = document.documentElement
const view = root.dataset.view, base = root.dataset.base, main = document.getElementById('main')
let language = 'en', shown, failed = false, next = 1
const waiting = new Map()
const t = (name) => words[language][name] ?? name
const post = (message) => parent.postMessage({ jsonrpc: '2.0', ...message }, '*')
const ask = (method, params) => new Promise((resolve) => {
  const id = next++
  waiting.set(id, resolve)
  post({ id, method, params })
})
const text = (value) => (value === null || value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value))
function element(name, className, ...inside) {
  const made = document.createElement(name)
  if (className) made.className = className
  for (const one of inside) made.append(typeof one === 'object' && one !== null ? one : document.createTextNode(text(one)))
  return made
}
function link(label, path) {
  const button = element('button', 'link', label)
  button.addEventListener('click', () => void ask('ui/open-link', { url: base + path }))
  return button
}
const isPath = (value) => typeof value === 'string' && /^\\/[^/\\\\]/.test(value)
const when = (value) => (value ? new Date(value).toLocaleString(language) : '')
const fact = (name, value) => element('p', 'fact', element('span', 'name', name), value)
function bug(data) {
  if (data.pending) return waits(data.pending)
  const by = data.author && (data.author.name ?? data.author.username)
  const path = isPath(data.url) ? data.url : '/community/' + data.number
  return [
    element('p', 'over', t('bug') + ' #' + text(data.number) + (by ? ' ' + t('by') + ' ' + by : '')),
    element('h1', '', data.title),
    element('p', 'facts', fact(t('severity'), t(text(data.severity))), fact(t('status'), t(data.status === 'open' ? 'state_open' : text(data.status))),
      fact(t('votes'), text(data.score))),
    element('p', 'text', text(data.description).slice(0, 2000)),
    link(t('open'), path),
  ]
}
const waits = ({ id, expiresAt }) => [
  element('h1', '', t('waits')),
  element('p', 'over', t('until') + ' ' + when(expiresAt)),
  link(t('decide'), '/settings/pending/' + encodeURIComponent(text(id))),
]
function permissions(data) {
  const { added = [], removed = [], kept = [] } = data.permissions ?? {}
  const list = (name, sign, some) => some.length === 0 ? [] : [
    element('h2', name, t(name)),
    element('ul', name, ...some.map((one) => element('li', '', sign + ' ' + describe(one)))),
  ]
  const versions = element('h1', '', (data.from ? text(data.from.version) + ' \\u2192 ' : '') + text(data.to && data.to.version))
  const none = added.length + removed.length === 0 ? [element('p', 'over', t('none'))] : []
  return [versions, ...none, ...list('added', '+', added), ...list('removed', '\\u2212', removed), ...list('kept', '=', kept)]
}
const describe = (one) => (typeof one === 'string' ? one : Object.values(one ?? {}).map(text).filter(Boolean).join(' \\u00b7 '))
function pending(data) {
  if (data.pending) return waits(data.pending)
  const acts = (data.items ?? (data.state ? [data] : [])).filter((act) => act.state === 'waiting')
  if (acts.length === 0) return [element('p', 'over', t('nothing'))]
  return acts.slice(0, 10).map((act) => element('section', '',
    element('p', 'over', text(act.clientName ?? act.clientId) + ' ' + t('wants')),
    element('h1', '', act.summary),
    element('p', 'text', act.title ?? ''),
    element('p', 'text', act.excerpt ?? ''),
    ...(act.changes ?? []).map((change) => element('p', 'change', element('span', 'name', change.name),
      element('del', '', change.from), ' ', element('ins', '', change.to))),
    element('p', 'over', t('until') + ' ' + when(act.expiresAt)),
    isPath(act.url) ? link(t('decide'), act.url) : '',
  ))
}
const views = { bug, permissions, pending }
function draw() {
  root.lang = language
  main.replaceChildren(...(shown ? views[view](shown) : [element('p', 'over', t(failed ? 'failed' : 'wait'))]))
}
function adopt(context) {
  if (!context) return
  if (context.theme === 'dark' || context.theme === 'light') root.dataset.theme = context.theme
  if (context.locale) language = text(context.locale).toLowerCase().startsWith('de') ? 'de' : 'en'
  draw()
}
addEventListener('message', ({ source, data }) => {
  if (source !== parent || !data || data.jsonrpc !== '2.0') return
  if (data.method === undefined) {
    waiting.get(data.id)?.(data.result)
    waiting.delete(data.id)
  } else if (data.method === 'ui/notifications/tool-result') {
    shown = data.params.isError ? undefined : data.params.structuredContent
    failed = shown === undefined
    draw()
  } else if (data.method === 'ui/notifications/host-context-changed') adopt(data.params)
  else if (data.id !== undefined) post({ id: data.id, result: {} })
})
new ResizeObserver(() => post({ method: 'ui/notifications/size-changed', params: { height: Math.ceil(main.scrollHeight) } })).observe(main)
draw()
ask('ui/initialize', { appInfo: { name: 'guildhall', version: '1.0.0' }, appCapabilities: {}, protocolVersion: '2026-01-26' }).then((result) => {
  adopt(result && result.hostContext)
  post({ method: 'ui/notifications/initialized', params: {} })
})
`
