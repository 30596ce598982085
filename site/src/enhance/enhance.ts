// The one script of most pages: it sends forms without leaving the page, and does the small things that need a script. The browser
// follows the links. Everything here also works without it. It changes nothing before the reader does something, except that it goes to
// the page of a comment that an address names and this page does not have.
import { copy, count, view } from './fields.ts'
import { SHOWN, send } from './forms.ts'
import { press, tell, togglePalette, turn } from './keys.ts'
import { complain } from './say.ts'
import { moveInToolbar, pressEarly } from './toolbar.ts'
import { vote } from './vote.ts'
import { word } from './words.ts'

addEventListener('click', (event) => {
  const target = event.target as Element
  const copier = target.closest<HTMLElement>('[data-copy]')
  if (copier) return copy(copier)
  const viewer = target.closest<HTMLElement>('[data-view]')
  if (viewer) return void view(viewer)
  const tool = target.closest<HTMLElement>('[data-write]')
  if (tool) return void import('./editor.ts').then(({ press: use }) => use(tool))
  const answer = target.closest<HTMLElement>('[data-reply], [data-quote], [data-cancel]')
  if (answer && !event.ctrlKey && !event.metaKey && !event.shiftKey && document.querySelector('#reply form')) {
    event.preventDefault()
    return void import('./reply.ts').then(({ quote, replyTo }) => {
      if (answer.dataset.quote) quote(answer.dataset)
      else replyTo(answer.dataset.reply, answer.dataset.author)
    })
  }
  const box = target.closest<HTMLInputElement>('input.pick')
  if (box) return void import('./many.ts').then(({ picked }) => picked(box, event.shiftKey))
  const inserter = target.closest<HTMLElement>('[data-insert]')
  if (inserter) return void import('./insert.ts').then(({ insert }) => insert(inserter))
  const keys = target.closest<HTMLElement>('[data-keys]')
  if (keys) return turn(keys)
  if (target.closest('[data-palette]')) return togglePalette()
  const passkey = target.closest<HTMLElement>('[data-passkey]')
  if (passkey) return void import('./passkeys.ts').then(({ signIn }) => signIn(passkey))
  const push = target.closest('button')?.closest<HTMLElement>('[data-push]')
  if (push) return void import('./push.ts').then(({ add }) => add(push))
  pressChartEarly(event)
})

addEventListener('keydown', (event) => {
  if (event.key === 'Escape') {
    document.querySelector('.hover-card')?.remove()
    if (document.querySelector('input.pick:checked')) void import('./many.ts').then(({ pickNone }) => pickNone())
  }
  moveInToolbar(event)
  pressEarly(event)
  press(event)
})
for (const button of document.querySelectorAll<HTMLElement>('[data-keys]')) tell(button)

/** Before a chart is used it is pointed at, touched or focused. */
const readyChart = ({ target }: Event) => {
  const figure = (target as Element).closest<HTMLElement>('.org-chart')
  if (figure) import('./chart.ts').then(({ attach }) => attach(figure))
}

/** Charts that a press waited for. */
const waited = new WeakSet<Element>()

/** A press on a chart that is still loading is made again when it is there; where it does not come, its link leads to the role. */
function pressChartEarly(event: MouseEvent): void {
  const pressed = (event.target as Element).closest<HTMLElement>('.org-chart :is(a.box, [data-zoom])')
  const figure = pressed?.closest<HTMLElement>('.org-chart')
  if (!pressed || !figure || figure.querySelector('.moving') || waited.has(figure)) return
  if (event.ctrlKey || event.metaKey || event.shiftKey) return
  event.preventDefault()
  import('./chart.ts')
    .then(({ attach }) => attach(figure))
    .catch(() => undefined)
    .finally(() => {
      waited.add(figure)
      // A role is a link of SVG, which has no method for it.
      pressed.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true }))
    })
}

// The card of a member, where the pointer or the focus rests on a link to their profile.
const RESTS_MILLISECONDS = 350
function showCard({ target }: Event): void {
  const link = (target as Element).closest<HTMLAnchorElement>('main a.by')
  if (!link) return
  setTimeout(() => {
    if (link.matches(':hover, :focus-visible')) import('./card.ts').then(({ show }) => show(link))
  }, RESTS_MILLISECONDS)
}
addEventListener('pointerover', (event) => {
  readyChart(event)
  if (event.pointerType === 'mouse') showCard(event)
})
addEventListener('focusin', (event) => {
  readyChart(event)
  if ((event.target as Element).matches(':focus-visible')) showCard(event)
})

// An address may name a comment that is on another page.
const findComment = () => {
  if (location.hash.startsWith('#comment-')) import('./reply.ts').then(({ findComment: find }) => find())
}
findComment()
addEventListener('hashchange', findComment)

// The editor of a text, when one is about to be used.
const openEditor = (target: Element) => {
  const editor = target.closest<HTMLElement>('[data-editor]')
  if (editor) import('./editor.ts').then(({ open }) => open(editor))
}
addEventListener('focusin', ({ target }) => openEditor(target as Element))

// Close the sheet of sections when the focus leaves it.
addEventListener('focusin', ({ target }) => {
  const sheet = document.querySelector<HTMLElement>(':popover-open')
  if (sheet && !sheet.contains(target as Node) && !(target as Element).closest('[popovertarget]')) sheet.hidePopover()
})

addEventListener('input', ({ target }) => {
  count(target as HTMLElement)
  const { form } = target as HTMLInputElement
  keep(form)
  if (form && (target as HTMLElement).dataset.contrasted !== undefined)
    import('./contrast.ts').then(({ show }) => show(form))
  if (!(target as HTMLElement).dataset.similar) return
  import('./similar.ts').then(({ lookFor }) => lookFor(target as HTMLInputElement))
})

let drafts: typeof import('./drafts.ts') | undefined
function keep(form: HTMLFormElement | null): void {
  if (form?.dataset.draft === undefined) return
  import('./drafts.ts').then((loaded) => {
    drafts = loaded
    loaded.changed(form)
  })
}

addEventListener('change', ({ target }) => {
  // A filter applies when it is chosen; the button is for those without script.
  if (target instanceof HTMLSelectElement && target.form?.method === 'get') return target.form.requestSubmit()
  if (!(target instanceof HTMLInputElement) || target.type !== 'file') return
  if (target.dataset.into) import('./read-file.ts').then(({ readInto }) => readInto(target))
  else if (target.form?.dataset.upload) import('./upload.ts').then(({ pick }) => pick(target))
})

// On a page with a drop field, a file may be dropped anywhere.
const dropField = () => document.querySelector<HTMLInputElement>('input[type="file"][data-drop]')
const holdsFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') && dropField()
for (const type of ['dragover', 'dragleave', 'drop'] as const) {
  addEventListener(type, (event) => {
    const field = holdsFiles(event)
    if (!field) return
    event.preventDefault()
    field.classList.toggle('over', type === 'dragover')
    if (type !== 'drop') return
    field.files = event.dataTransfer!.files
    field.dispatchEvent(new Event('change', { bubbles: true }))
  })
}

addEventListener('submit', (event) => {
  const form = event.target as HTMLFormElement
  // Enter in a field presses the first button, which may be the one of pages without script.
  const pressed = event.submitter as HTMLButtonElement | null
  const submitter = pressed?.matches('.unscripted') ? null : pressed
  if (event.defaultPrevented) return
  if (form.dataset.busy !== undefined || drafts?.sending(form, submitter) === false) return event.preventDefault()
  if (form.matches('[data-vote]')) {
    event.preventDefault()
    vote(form, Number(submitter?.value))
  } else if (form.dataset.upload) {
    event.preventDefault()
    import('./upload.ts').then(
      ({ upload }) => upload(form),
      () => complain(word('page.offline')),
    )
  } else if (form.dataset.trial) {
    event.preventDefault()
    import('./trial.ts').then(({ call }) => call(form))
  } else if (form.dataset.addPasskey !== undefined) {
    event.preventDefault()
    import('./passkeys.ts').then(({ add }) => add(form))
  } else if (form.dataset.confirmPasskey !== undefined) {
    event.preventDefault()
    import('./passkeys.ts').then(({ confirm }) => confirm(form))
  } else if (form.matches('[data-enhance]')) {
    event.preventDefault()
    send(form, submitter)
  }
})

/** The button that has notifications pushed is for browsers that can have them. */
function offerPush(): void {
  const box = document.querySelector<HTMLElement>('[data-push]')
  if (box) box.hidden = !('PushManager' in globalThis && 'serviceWorker' in navigator)
}
offerPush()
addEventListener(SHOWN, offerPush)

// Add the passkey that waited until a credential was used again.
addEventListener(SHOWN, () => {
  keep(document.querySelector<HTMLFormElement>('form[data-draft][data-refused]'))
  if (document.querySelector('form[data-add-passkey][data-ready]')) import('./passkeys.ts').then(({ goOn }) => goOn())
})

// Leave empty fields out of the address of a search.
addEventListener('formdata', ({ target, formData }) => {
  if ((target as HTMLFormElement).method !== 'get') return
  for (const [name, value] of [...formData]) if (value === '') formData.delete(name)
})

// Members who stay on a page see what comes; a short visit costs no connection.
const STAYS_MILLISECONDS = 10_000
if (document.querySelector('a[data-unread]')) {
  setTimeout(() => import('./live.ts').then(({ live }) => live()), STAYS_MILLISECONDS)
}

// What was focused and typed before this script came.
const early = document.activeElement
if (early) openEditor(early)
if (early instanceof HTMLTextAreaElement && early.value !== early.defaultValue) {
  count(early)
  keep(early.form)
}
