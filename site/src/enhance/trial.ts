// A call of the API from a page of its reference. The token is read from its field at each call, and kept nowhere. The session of the reader is
// not used: what is tried is what a program with that token gets.

/** So much of an answer is shown, in characters. */
const MAX_SHOWN = 20_000

/** Makes the call that the form describes, and shows its status and its body as text, in place of those of the call before. */
export async function call(form: HTMLFormElement): Promise<void> {
  const output = form.querySelector('output')!
  const button = form.querySelector('button')!
  output.replaceChildren()
  button.setAttribute('aria-disabled', 'true')
  try {
    const response = await fetch(requestOf(form))
    show(
      output,
      `${response.status} ${response.statusText}`.trim(),
      await textOf(response, output.dataset['cut'] ?? ''),
    )
  } catch (error) {
    show(output, output.dataset['failed'] ?? '', error instanceof SyntaxError ? error.message : '')
  } finally {
    button.removeAttribute('aria-disabled')
  }
}

/** @throws SyntaxError if the body is no JSON */
function requestOf(form: HTMLFormElement): Request {
  const given = new FormData(form)
  const token = document.querySelector<HTMLInputElement>('[data-token]')?.value.trim()
  const headers = new Headers()
  if (token) headers.set('Authorization', `Bearer ${token}`)
  if (given.has('dry')) headers.set('Prefer', 'handling=dry-run')
  const init: RequestInit = { method: form.dataset['trial']!, headers, credentials: 'omit', redirect: 'manual' }
  const body = given.get('body')
  const fields = [...given].filter(([name]) => name.startsWith('form.'))
  if (typeof body === 'string') {
    headers.set('Content-Type', 'application/json')
    init.body = JSON.stringify(JSON.parse(body || '{}'))
  } else if (fields.length > 0) {
    const sent = new FormData()
    for (const [name, value] of fields) if (value !== '') sent.append(name.slice('form.'.length), value)
    init.body = sent
  }
  return new Request(addressOf(form, given), init)
}

function addressOf(form: HTMLFormElement, given: FormData): URL {
  const textIn = (name: string) => String(given.get(name) ?? '')
  const path = form.dataset['path']!.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(textIn(`path.${name}`)))
  const url = new URL(path, location.origin)
  for (const [name, value] of given) {
    if (name.startsWith('query.') && value !== '') url.searchParams.append(name.slice('query.'.length), String(value))
  }
  return url
}

async function textOf(response: Response, cut: string): Promise<string> {
  const type = response.headers.get('content-type') ?? ''
  if (!/json|text|xml/.test(type)) return `${type} (${(await response.blob()).size} B)`
  const text = await response.text()
  const shown = /json/.test(type) ? JSON.stringify(JSON.parse(text), null, 2) : text
  return shown.length > MAX_SHOWN ? `${shown.slice(0, MAX_SHOWN)}\n… ${cut}` : shown
}

function show(output: HTMLElement, status: string, text: string): void {
  const line = document.createElement('strong')
  line.textContent = status
  const body = document.createElement('pre')
  body.tabIndex = 0
  body.textContent = text
  output.replaceChildren(line, ...(text ? [body] : []))
}
