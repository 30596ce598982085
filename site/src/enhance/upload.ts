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

/** Sends the form; on success opens the item. */
export function upload(form: HTMLFormElement): void {
  const { api = '', upload: method = 'POST', versioned } = form.dataset
  const progress = form.querySelector<HTMLElement>('[data-progress]')!
  const bar = progress.querySelector('progress')!
  const words = progress.querySelector('label')!
  const request = new XMLHttpRequest()
  const stop = progress.querySelector('button')!

  function end(): void {
    progress.hidden = true
    delete form.dataset.busy
  }
  async function refused(status: number, body: unknown): Promise<void> {
    end()
    const { message, field } = await refusalOf(status, body, { word, said })
    // The version is in the package, so the form has no field for it.
    fault(form, { message, field: field === 'version' && versioned !== undefined ? 'file' : field })
  }

  clearFaults(form)
  form.dataset.busy = ''
  words.textContent = word('upload.sending')
  bar.value = 0
  progress.hidden = false
  stop.hidden = false
  stop.onclick = () => request.abort()
  request.open(method, api)
  request.responseType = 'json'
  request.upload.onprogress = ({ loaded, total }) => {
    bar.value = loaded / total
  }
  request.upload.onload = () => {
    words.textContent = word('upload.checking')
    stop.hidden = true
  }
  request.onload = () => {
    const { status, response } = request
    if (status >= 300) return refused(status, response)
    form.reset()
    end()
    forget(form).finally(() => location.assign(pathOf(response)))
  }
  request.onerror = () => {
    end()
    fault(form, { message: word('upload.lost') })
  }
  request.onabort = end
  request.send(new FormData(form))
}
