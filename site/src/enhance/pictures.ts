// Pictures for a text: made smaller where they are too large, sent one after the other with progress, and put where the caret is, with
// the place for their description selected. What is refused is said beside the editor.

import { apply } from './typing.ts'
import { said as inWords } from './words.ts'

const TYPES = ['image/png', 'image/jpeg', 'image/webp']
/** What the server takes (content/pictures-contract.ts). */
const MAX_BYTES = 2 * 1024 * 1024
const EDGES = [2400, 1600, 1000]

interface Words {
  sending: string
  sent: string
  describe: string
  types: string
  failed: string
  offline: string
}

/** The picture, or a smaller copy of one that is too large; undefined for what is no picture that we take. */
async function fitting(file: File): Promise<Blob | undefined> {
  if (!TYPES.includes(file.type)) return undefined
  if (file.size <= MAX_BYTES) return file
  const bitmap = await createImageBitmap(file).catch(() => undefined)
  if (!bitmap) return file
  for (const edge of EDGES) {
    const scale = Math.min(1, edge / Math.max(bitmap.width, bitmap.height))
    const canvas = new OffscreenCanvas(Math.round(bitmap.width * scale), Math.round(bitmap.height * scale))
    canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
    const smaller = await canvas.convertToBlob({ type: 'image/webp', quality: 0.85 })
    if (smaller.size <= MAX_BYTES) return smaller
  }
  return file
}

interface UploadedPicture {
  url?: string
  error?: string
}

function upload(picture: Blob, name: string, onProgress: (part: number) => void): Promise<UploadedPicture> {
  const { promise, resolve } = Promise.withResolvers<UploadedPicture>()
  const request = new XMLHttpRequest()
  const form = new FormData()
  form.append('image', picture, name)
  request.open('POST', '/api/community/images')
  request.responseType = 'json'
  request.upload.onprogress = ({ loaded, total }) => onProgress(loaded / total)
  request.onload = () => resolve(request.response ?? {})
  request.onerror = () => resolve({ error: '' })
  request.send(form)
  return promise
}

export async function send(field: HTMLTextAreaElement, files: readonly File[]): Promise<void> {
  const editor = field.closest<HTMLElement>('[data-editor]')!
  const words: Words = JSON.parse(editor.dataset.words!)
  const said = editor.querySelector<HTMLElement>('[data-said]')!
  const progress = editor.querySelector('progress')!
  const say = (sentence: string, isWrong = false) => {
    said.textContent = sentence
    said.classList.toggle('wrong', isWrong)
  }
  progress.hidden = false
  for (const file of files) {
    say(words.sending.replace('{name}', file.name))
    progress.value = 0
    const picture = await fitting(file)
    if (!picture) {
      say(words.types.replace('{name}', file.name), true)
      continue
    }
    const { url, error } = await upload(picture, file.name, (part) => {
      progress.value = part
    })
    if (!url) {
      say(error === '' ? words.offline : words.failed.replace('{why}', await inWords(error ?? '')), true)
      continue
    }
    const { selectionStart: from, selectionEnd: to, value } = field
    const text = `${from > 0 && value[from - 1] !== '\n' ? '\n' : ''}![${words.describe}](${url})`
    const start = from + text.indexOf('[') + 1
    apply(field, { from, to, text: `${text}\n`, start, end: start + words.describe.length })
    say(words.sent)
  }
  progress.hidden = true
}
