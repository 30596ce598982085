// Uploads a file to the library: checks it when it is chosen, sends it to the API with progress, and
// shows errors beside their fields. What was typed stays.
import { pathOf } from '../lib/features/library/item-lists.ts'
import { detect } from './detect.ts'
import { forget } from './drafts.ts'
import { clearFaults, fault } from './faults.ts'
import { refusalOf } from './refusal.ts'
import { said, word } from './words.ts'

/** Checks the chosen file and fills in its kind and name. */
export async function pick(input: HTMLInputElement): Promise<void> {
  const form = input.form!
  const file = input.files?.[0]
  clearFaults(form)
  if (!file) return
  const { kind, name, problem } = await detect(file)
  if (input.files?.[0] !== file) return
  const asked = form.elements.namedItem('kind')
  if (asked instanceof HTMLSelectElement && kind) asked.value = kind
  const named = form.elements.namedItem('name')
  if (named instanceof HTMLInputElement && name) named.placeholder = name
  if (problem && asked) fault(form, { message: problem, field: 'file' })
}

/** Whether a proof of work could be computed; undefined where the server does not answer. */
const proveNow = (): Promise<boolean | undefined> =>
  import('./proof.ts').then(({ prove }) => prove()).catch(() => undefined)

/** The progress of an upload in its form, which cannot be sent again until then. */
function progressIn(form: HTMLFormElement, stopped: () => void) {
  const progress = form.querySelector<HTMLElement>('[data-progress]')!
  const bar = progress.querySelector('progress')!
  const words = progress.querySelector('label')!
  const stop = progress.querySelector('button')!
  form.dataset.busy = ''
  words.textContent = word('upload.sending')
  bar.value = 0
  progress.hidden = false
  stop.hidden = false
  stop.onclick = stopped
  return {
    sent({ loaded, total }: ProgressEvent): void {
      bar.value = loaded / total
    },
    check(): void {
      words.textContent = word('upload.checking')
      stop.hidden = true
    },
    end(): void {
      progress.hidden = true
      delete form.dataset.busy
    },
  }
}

/** Sends the form; on success opens the item. */
export function upload(form: HTMLFormElement): void {
  const { api = '', upload: method = 'POST', versioned } = form.dataset
  const request = new XMLHttpRequest()
  clearFaults(form)
  const progress = progressIn(form, () => request.abort())

  async function refused(status: number, body: unknown): Promise<void> {
    progress.end()
    const unknown = { message: word('upload.failed'), field: undefined }
    const { message, field } = await refusalOf(status, body, { word, said }).catch(() => unknown)
    // The version is in the package, so the form has no field for it.
    fault(form, { message, field: field === 'version' && versioned !== undefined ? 'file' : field })
  }
  function lost(): void {
    progress.end()
    fault(form, { message: word('upload.lost') })
  }

  /** The same once more, with the proof that was missing; where there is none, it stays refused. */
  async function sendProven(status: number, body: unknown): Promise<void> {
    const isProven = await proveNow()
    if (isProven === undefined) return lost()
    if (!isProven) return refused(status, body)
    form.dataset.proven = ''
    upload(form)
  }

  request.open(method, api)
  request.responseType = 'json'
  request.upload.onprogress = progress.sent
  request.upload.onload = progress.check
  request.onload = () => {
    const { status, response } = request
    if (request.getResponseHeader('Proof-Of-Work') && form.dataset.proven === undefined)
      return sendProven(status, response)
    delete form.dataset.proven
    if (status >= 300 || !response) return refused(status, response)
    form.reset()
    progress.end()
    forget(form).finally(() => location.assign(pathOf(response)))
  }
  request.onerror = lost
  request.onabort = progress.end
  request.send(new FormData(form))
}
