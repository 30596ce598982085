// A file on its way to the library: looked at when it is chosen, sent straight to the API with its progress shown, and what was
// refused said beside its field while everything typed stays.
import { pathOf } from '../lib/features/library/shelves.ts'
import { detect } from './detect.ts'
import { clearFaults, fault } from './faults.ts'
import { refusalOf } from './refusal.ts'

/** Looks into the chosen file: its kind and its name are filled in where the form asks for them. */
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

/** Sends the form; on success the item is shown. */
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
  function refused(status: number, body: unknown): void {
    end()
    const { message, field } = refusalOf(status, body)
    // A package says its version itself: there is no field to put it right in.
    fault(form, { message, field: field === 'version' && versioned !== undefined ? 'file' : field })
  }

  clearFaults(form)
  form.dataset.busy = ''
  words.textContent = 'Uploading the file'
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
    words.textContent = 'Upload complete. Checking the file'
    stop.hidden = true
  }
  request.onload = () => {
    const { status, response } = request
    if (status >= 300) return refused(status, response)
    form.reset()
    end()
    location.assign(pathOf(response))
  }
  request.onerror = () => {
    end()
    fault(form, { message: 'The connection was lost during the upload. Try again.' })
  }
  request.onabort = end
  request.send(new FormData(form))
}
