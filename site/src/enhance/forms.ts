// Forms sent without leaving the page: what is refused is shown in it, and what was typed is never lost. A page at another path is left
// to the browser. Only answers of this site are put into the document (trusted.ts).
import { announce, complain } from './say.ts'
import { documentIn, isOurAnswer } from './trusted.ts'
import { word } from './words.ts'

/**
 * Tells the server that the answer is shown in place (hooks.server.ts): a refusal is then no failed request, which a browser would
 * log, and a redirect is named, because a fetch that follows one loses the fragment.
 */
const IN_PLACE = 'X-In-Place'
const GOES_TO = 'X-Goes-To'

const offline = () => word('page.offline')

/** Sent to the window after a page took the place of this one. */
export const SHOWN = 'page-shown'

interface FormSubmission {
  form: HTMLFormElement
  button: HTMLButtonElement | null
  /** Whether it was sent once more, with a proof of work. */
  isProven?: boolean
}

export async function send(form: HTMLFormElement, button: HTMLButtonElement | null): Promise<void> {
  const fields = new FormData(form, button)
  // As attributes: a field that is named `action` takes the place of the property.
  const url = new URL(button?.getAttribute('formaction') ?? form.getAttribute('action') ?? '', location.href).href
  const body = form.enctype === 'multipart/form-data' ? fields : new URLSearchParams([...fields] as [string, string][])
  const main = document.querySelector('main')
  const end = () => {
    main?.removeAttribute('aria-busy')
    button?.removeAttribute('aria-disabled')
    delete form.dataset.busy
  }
  main?.setAttribute('aria-busy', 'true')
  button?.setAttribute('aria-disabled', 'true')
  form.dataset.busy = ''
  const problem = await request(url, { form, button }, { method: 'POST', body }).catch(offline)
  // Until the next page is there, the form cannot be sent again.
  if (problem === undefined) return addEventListener('pagehide', end, { once: true })
  complain(problem)
  end()
}

/** Shows the page at `url`: in place of this one where only the query differs. */
export async function visit(url: string): Promise<void> {
  const to = new URL(url, location.href)
  if (to.pathname !== location.pathname) location.assign(to)
  else if ((await request(to.href).catch(offline)) !== undefined) location.assign(to)
}

/** Returns a sentence where the page stays as it is. */
async function request(url: string, sent?: FormSubmission, init?: RequestInit): Promise<string | undefined> {
  const headers = { Accept: 'text/html', [IN_PLACE]: '1' }
  const response = await fetch(url, { ...init, mode: 'same-origin', headers })
  const page = await documentIn(response)
  const next = response.headers.get(GOES_TO)
  if (next !== null && isOurAnswer(response)) {
    const to = new URL(next, location.href)
    if (to.pathname === location.pathname) return request(to.href, sent)
    // Sent is sent: Back shows an empty form.
    sent?.form.reset()
    location.assign(to)
    return
  }
  if (!page?.getElementById('main')) return word('page.notOurs')
  // The same once more, with the proof that was missing: nothing of what was typed is lost.
  if (sent && init && !sent.isProven && page.querySelector('form[data-proof]')) {
    const { prove } = await import('./proof.ts')
    if (await prove()) return request(url, { ...sent, isProven: true }, init)
  }
  const broken = page.querySelector<HTMLElement>('[data-error]')?.dataset.error
  if (broken) return word('page.broken', { problem: broken })
  // A form's action (`?/name`) is no address of a page, and an answer does not know what stood behind the #.
  const shown = new URL(response.url)
  shown.search = shown.search.replace(/^\?\/\w+&?/, '?')
  if (!init) shown.hash = new URL(url).hash
  show(page, shown, sent)
}

const FACTS =
  'link[rel="canonical"], link[rel="alternate"], meta[property], meta[name="description"], meta[name="robots"]'

/** Puts the page in place of this one, and the focus on what the form led to. */
function show(page: Document, url: URL, sent: FormSubmission | undefined): void {
  const { scrollY } = globalThis
  history.replaceState(null, '', url)
  document.title = page.title
  document.documentElement.dataset.theme = page.documentElement.dataset.theme
  for (const fact of document.head.querySelectorAll(FACTS)) fact.remove()
  document.head.append(...page.head.querySelectorAll(FACTS))
  for (const sheet of page.querySelectorAll<HTMLLinkElement>('link[rel="stylesheet"]')) {
    if (![...document.styleSheets].some(({ href }) => href === new URL(sheet.href, location.href).href))
      document.head.append(sheet)
  }
  for (const script of page.body.querySelectorAll('script')) script.remove()
  document.body.replaceChildren(...page.body.childNodes)
  scrollTo(0, scrollY)
  const made = url.hash ? document.getElementById(decodeURIComponent(url.hash.slice(1))) : null
  const answer =
    document.querySelector<HTMLElement>('main [aria-invalid="true"], main [autofocus]') ??
    made ??
    (sent && placeOf(sent))
  if (answer && answer.tabIndex < 0) answer.tabIndex = -1
  answer?.focus()
  // What is refused or said is heard as it takes the focus.
  const said = document.querySelector<HTMLElement>('[data-told]')?.dataset.told
  announce(
    answer?.matches('[aria-invalid], [role]')
      ? ''
      : said
        ? said
        : sent
          ? word('page.done', { act: nameOf(sent.button) || word('page.sent') })
          : page.title,
  )
  dispatchEvent(new Event(SHOWN))
}

/** The same button again, or what is left of what the form stood in: it may have removed what was nearest. */
function placeOf({ form, button }: FormSubmission): HTMLElement | undefined {
  const same = [...document.forms].find((one) => marksOf(one) === marksOf(form))
  const buttons = [...(same?.querySelectorAll('button') ?? [])]
  const again = buttons.find((one) => one.value === button?.value && nameOf(one) === nameOf(button))
  let outer = form.parentElement
  while (outer && !(outer.id && document.getElementById(outer.id))) outer = outer.parentElement
  return again ?? (outer && document.getElementById(outer.id)) ?? undefined
}

const nameOf = (button: HTMLButtonElement | null): string =>
  (button?.getAttribute('aria-label') ?? button?.textContent ?? '').trim()

/** What tells a form from the others of its page: not what was before, which a form that was sent has changed. */
function marksOf(form: HTMLFormElement): string {
  const hidden = [...form.querySelectorAll<HTMLInputElement>('[type="hidden"]')]
    .filter(({ name }) => !name.startsWith('was-'))
    .map(({ name, value }) => [name, value])
  return JSON.stringify([form.getAttribute('action'), hidden])
}
