// A screenshot: taken of what the person chooses, or a file. It is shown before it is sent, and cut by four sliders or by drawing a frame. Only what
// is left of it leaves the browser.
import { word } from '../enhance/words.ts'

const MAX_EDGE = 1600
const MAX_BYTES = 2 * 1024 * 1024

interface Parts {
  canvas: HTMLCanvasElement
  crop: HTMLElement
  edges: Record<string, HTMLInputElement>
}

let picture: ImageBitmap | undefined

const partsOf = (form: HTMLFormElement): Parts => ({
  canvas: form.querySelector('canvas')!,
  crop: form.querySelector<HTMLElement>('[data-crop]')!,
  edges: Object.fromEntries(
    [...form.querySelectorAll<HTMLInputElement>('[data-edge]')].map((edge) => [edge.dataset['edge'] ?? '', edge]),
  ),
})

/** The part that is kept, in px of the picture. */
function keptOf({ edges }: Pick<Parts, 'edges'>, { width, height }: { width: number; height: number }) {
  const part = (name: string) => Number(edges[name]?.value ?? 0) / 100
  const [x, y] = [Math.round(part('left') * width), Math.round(part('top') * height)]
  const w = Math.max(1, Math.round(width * (1 - part('right'))) - x)
  const h = Math.max(1, Math.round(height * (1 - part('bottom'))) - y)
  return { x: Math.min(x, width - 1), y: Math.min(y, height - 1), w, h }
}

/** Draws the picture, with what is cut away in the dark. */
function draw(parts: Parts): void {
  if (!picture) return
  const { canvas } = parts
  const { width, height } = picture
  canvas.width = width
  canvas.height = height
  const context = canvas.getContext('2d')!
  context.drawImage(picture, 0, 0)
  const { x, y, w, h } = keptOf(parts, picture)
  context.fillStyle = 'rgb(0 0 0 / 65%)'
  context.fillRect(0, 0, width, y)
  context.fillRect(0, y + h, width, height - y - h)
  context.fillRect(0, y, x, h)
  context.fillRect(x + w, y, width - x - w, h)
}

function show(form: HTMLFormElement, taken: ImageBitmap | undefined): void {
  picture = taken
  const parts = partsOf(form)
  for (const edge of Object.values(parts.edges)) edge.value = '0'
  parts.crop.hidden = taken === undefined
  draw(parts)
}

export const dropShot = (form: HTMLFormElement): void => {
  form.querySelector<HTMLInputElement>('[type=file]')!.value = ''
  show(form, undefined)
}

/** Reads a file; false for one that is no picture. */
async function takeFile(form: HTMLFormElement, file: Blob): Promise<boolean> {
  const whole = await createImageBitmap(file).catch(() => undefined)
  if (!whole) return false
  const scale = Math.min(1, MAX_EDGE / Math.max(whole.width, whole.height))
  const size = { resizeWidth: Math.ceil(whole.width * scale), resizeHeight: Math.ceil(whole.height * scale) }
  show(form, scale < 1 ? await createImageBitmap(whole, size) : whole)
  return true
}

/** Takes one picture of a screen, a window or a tab, while the frame is out of the way. */
async function capture(form: HTMLFormElement, tell: (what: 'hide' | 'show') => void): Promise<void> {
  const stream = await navigator.mediaDevices.getDisplayMedia({ video: true, audio: false }).catch(() => undefined)
  if (!stream) return
  tell('hide')
  try {
    const video = document.createElement('video')
    video.srcObject = stream
    video.muted = true
    await video.play()
    // The frame is gone from what is shown after a moment.
    await new Promise((resolve) => setTimeout(resolve, 400))
    const canvas = document.createElement('canvas')
    canvas.width = video.videoWidth
    canvas.height = video.videoHeight
    canvas.getContext('2d')!.drawImage(video, 0, 0)
    const taken = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve))
    if (taken) await takeFile(form, taken)
  } finally {
    for (const track of stream.getTracks()) track.stop()
    tell('show')
  }
}

/** Draws a frame of what is kept, by a pointer. The sliders do the same by keys. */
function cutByPointer(parts: Parts): void {
  const { canvas, edges } = parts
  let from: { x: number; y: number } | undefined
  const at = ({ clientX, clientY }: PointerEvent) => {
    const box = canvas.getBoundingClientRect()
    const part = (value: number) => Math.min(1, Math.max(0, value)) * 100
    return { x: part((clientX - box.left) / box.width), y: part((clientY - box.top) / box.height) }
  }
  canvas.addEventListener('pointerdown', (event) => {
    canvas.setPointerCapture(event.pointerId)
    from = at(event)
  })
  canvas.addEventListener('pointerup', () => (from = undefined))
  canvas.addEventListener('pointermove', (event) => {
    if (!from) return
    const to = at(event)
    if (Math.abs(to.x - from.x) < 2 || Math.abs(to.y - from.y) < 2) return
    const kept = {
      ...{ left: Math.min(from.x, to.x), right: 100 - Math.max(from.x, to.x) },
      ...{ top: Math.min(from.y, to.y), bottom: 100 - Math.max(from.y, to.y) },
    }
    for (const [name, value] of Object.entries(kept)) edges[name]!.value = String(value)
    draw(parts)
  })
}

interface Around {
  tell(what: 'hide' | 'show'): void
  say(sentence: string): void
}

/** Makes the part of a form for a screenshot work. */
export function startShot(form: HTMLFormElement, { tell, say }: Around): void {
  const parts = partsOf(form)
  const button = form.querySelector<HTMLButtonElement>('[data-capture]')!
  button.hidden = typeof navigator.mediaDevices?.getDisplayMedia !== 'function'
  button.addEventListener('click', () => void capture(form, tell))
  const file = form.querySelector<HTMLInputElement>('[type=file]')!
  file.addEventListener('change', async () => {
    const [chosen] = file.files ?? []
    if (chosen && !(await takeFile(form, chosen))) say(word('widget.noPicture'))
  })
  for (const edge of Object.values(parts.edges)) edge.addEventListener('input', () => draw(parts))
  form.querySelector('[data-drop]')!.addEventListener('click', () => dropShot(form))
  cutByPointer(parts)
}

/** What is left of the screenshot, as it is sent; undefined without one. */
export async function shotIn(form: HTMLFormElement): Promise<Blob | undefined> {
  if (!picture) return undefined
  const { x, y, w, h } = keptOf(partsOf(form), picture)
  const canvas = document.createElement('canvas')
  canvas.width = w
  canvas.height = h
  canvas.getContext('2d')!.drawImage(picture, x, y, w, h, 0, 0, w, h)
  const as = (type: string, quality?: number) =>
    new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality))
  const sharp = await as('image/png')
  if (sharp && sharp.size <= MAX_BYTES) return sharp
  return (await as('image/jpeg', 0.8)) ?? undefined
}
