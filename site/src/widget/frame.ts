// The script of the page that other sites show in a frame. It talks to the one site that its address names, where an admin listed that, and to the
// window around it alone: messages of others are not heard, and it tells the host only what happened.
import { word } from '../enhance/words.ts'
import { become, call, isKnown, whenExpired, whyOf } from './calls.ts'
import { showLists, watchTitle } from './lists.ts'
import { dropShot, shotIn, startShot } from './shot.ts'

const main = document.querySelector<HTMLElement>('[data-widget]')!
const { host = '' } = main.dataset
const status = main.querySelector<HTMLElement>('[data-status]')!
const who = main.querySelector<HTMLElement>('[data-who]')!
const guest = who.textContent
/** How long a host may take to say who the person is. */
const PATIENCE_MILLISECONDS = 2_000

const tell = (what: string, more: object = {}) => {
  if (host && parent !== window) parent.postMessage({ guildhall: what, ...more }, host)
}
const say = (sentence: string) => {
  status.textContent = sentence
}

/** Shows one of the views. */
function show(view: string): void {
  const sections = [...main.querySelectorAll<HTMLElement>('[data-section]')]
  if (!sections.some(({ dataset }) => dataset['section'] === view)) return
  for (const section of sections) section.hidden = section.dataset['section'] !== view
  for (const button of main.querySelectorAll<HTMLElement>('[data-view]'))
    button.ariaPressed = String(button.dataset['view'] === view)
  say('')
}

/** Takes what the host says of the person, or that it says nothing. */
async function meet(identity: unknown): Promise<void> {
  clearTimeout(waiting)
  const name = await become(identity)
  who.textContent = name === undefined ? guest : word('widget.as', { name })
  for (const note of main.querySelectorAll<HTMLElement>('[data-guests]')) note.hidden = isKnown()
  const form = main.querySelector<HTMLElement>('[data-form=idea]')
  if (form) form.hidden = !isKnown()
  await showLists(say)
}
let waiting: ReturnType<typeof setTimeout>
const awaitIdentity = () => {
  clearTimeout(waiting)
  waiting = setTimeout(() => void meet(null), PATIENCE_MILLISECONDS)
}
awaitIdentity()
whenExpired(() => {
  awaitIdentity()
  tell('expired')
})

const fieldsOf = (form: HTMLFormElement) =>
  Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ''))

/** Files the bug of a person: the picture first, which the text then names. */
async function fileBug(form: HTMLFormElement) {
  const shot = await shotIn(form)
  const { title, description, severity } = fieldsOf(form)
  if (!shot) return call('POST', 'community/bugs', { body: { title, description, severity } })
  const body = new FormData()
  body.set('image', shot)
  const added = await call('POST', 'community/images', { body })
  if (!added.ok) return added
  const text = `${description}\n\n![${word('widget.picture')}](${added.body['url']})`
  return call('POST', 'community/bugs', { body: { title, description: text, severity } })
}

/** Sends the report of a guest. */
async function report(form: HTMLFormElement) {
  const shot = await shotIn(form)
  const body = new FormData()
  for (const [name, value] of Object.entries(fieldsOf(form))) if (typeof value === 'string') body.set(name, value)
  if (shot) body.set('screenshot', shot)
  return call('POST', 'community/widget/reports', { body })
}

async function sendBug(form: HTMLFormElement) {
  const isGuest = !isKnown()
  const answer = await (isGuest ? report(form) : fileBug(form))
  if (answer.ok) dropShot(form)
  return { answer, sentence: isGuest ? 'widget.reported' : 'widget.filed' } as const
}

async function sendIdea(form: HTMLFormElement) {
  const { title, description } = fieldsOf(form)
  const answer = await call('POST', 'community/features', { body: { title, description } })
  return { answer, sentence: 'widget.asked' } as const
}

const senders = { bug: sendBug, idea: sendIdea }

async function send(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector<HTMLButtonElement>('button:not([type=button])')!
  if (button.disabled) return
  button.disabled = true
  say(word('widget.sending'))
  try {
    const { answer, sentence } = await senders[form.dataset['form'] as keyof typeof senders](form)
    if (!answer.ok) return say(await whyOf(answer))
    form.reset()
    const { number } = answer.body
    say(word(sentence, { number: `#${number}` }))
    tell('sent', { number })
    if (isKnown()) await showLists(say)
  } finally {
    button.disabled = false
    status.scrollIntoView({ block: 'nearest' })
  }
}

addEventListener('message', ({ origin, source, data }) => {
  if (host === '' || origin !== host || source !== parent || typeof data !== 'object' || data === null) return
  if (data.guildhall === 'identity') void meet(data.token)
  if (data.guildhall === 'open') show(String(data.view))
})
addEventListener('keydown', ({ key }) => {
  if (key === 'Escape') tell('close')
})
addEventListener('submit', (event) => {
  event.preventDefault()
  void send(event.target as HTMLFormElement)
})
addEventListener('click', ({ target }) => {
  const { view } = (target as Element).closest<HTMLElement>('[data-view]')?.dataset ?? {}
  if (view) show(view)
  if ((target as Element).closest('[data-close]')) tell('close')
})

for (const form of main.querySelectorAll<HTMLFormElement>('form')) watchTitle(form)
const bug = main.querySelector<HTMLFormElement>('[data-form=bug]')
if (bug) startShot(bug, { tell, say })
tell('ready')
