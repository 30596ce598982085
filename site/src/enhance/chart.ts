// The org chart with a script: it zooms (Ctrl and wheel, two fingers, buttons, + - 0), moves (drag, arrow keys), and a role opens beside
// it. The wheel alone and one finger scroll the page as before. Without the script it is a picture that scrolls.
import { announce } from './say.ts'

const MIN_SCALE = 0.25
const MAX_SCALE = 3
const STEP = 1.25
/** How far a press goes before it moves the chart, and how far an arrow key moves it, in px. */
const DRAG = 4
const MOVE = 60

interface Point {
  x: number
  y: number
}
/** The chart in its box: `natural` is its width in px at scale 1. */
interface Chart {
  box: HTMLElement
  svg: SVGSVGElement
  natural: number
}

const scaleOf = ({ svg, natural }: Chart) => svg.getBoundingClientRect().width / natural

/** Makes the chart `scale` as large; what is at `point` of the box stays there. */
function zoom(chart: Chart, scale: number, point?: Point): void {
  const { box, svg, natural } = chart
  const before = scaleOf(chart)
  const now = Math.min(MAX_SCALE, Math.max(MIN_SCALE, scale))
  // The box keeps its height, so that nothing below it moves.
  box.style.blockSize ||= `${box.offsetHeight}px`
  const { x, y } = point ?? { x: box.clientWidth / 2, y: box.clientHeight / 2 }
  const [left, top] = [(box.scrollLeft + x) / before, (box.scrollTop + y) / before]
  svg.style.maxInlineSize = svg.style.minInlineSize = svg.style.inlineSize = `${natural * now}px`
  box.scrollTo({ left: left * now - x, top: top * now - y })
}

/** All of it is seen. */
function fit(chart: Chart): void {
  const { box, svg, natural } = chart
  const tall = svg.getBoundingClientRect().height / scaleOf(chart)
  zoom(chart, Math.min(1, box.clientWidth / natural, (box.style.blockSize ? box.clientHeight : tall) / tall))
}

const acts: Record<string, (chart: Chart) => void> = {
  in: (chart) => zoom(chart, scaleOf(chart) * STEP),
  out: (chart) => zoom(chart, scaleOf(chart) / STEP),
  fit,
}
const keys: Record<string, string> = { '+': 'in', '=': 'in', '-': 'out', '0': 'fit' }

/** Arrow keys move what does not fit; at the end of it the page scrolls. */
function move(box: HTMLElement, key: string): boolean {
  const by = { ArrowLeft: [-MOVE, 0], ArrowRight: [MOVE, 0], ArrowUp: [0, -MOVE], ArrowDown: [0, MOVE] }[key]
  const [left = 0, top = 0] = by ?? []
  const before = [box.scrollLeft, box.scrollTop]
  if (by) box.scrollBy({ left, top })
  return box.scrollLeft !== before[0] || box.scrollTop !== before[1]
}

function dragged({ box }: Chart): void {
  let from: (Point & { left: number; top: number }) | undefined
  let isMoving = false
  box.addEventListener('pointerdown', ({ pointerType, button, clientX: x, clientY: y }) => {
    isMoving = false
    if (pointerType === 'mouse' && button === 0) from = { x, y, left: box.scrollLeft, top: box.scrollTop }
  })
  box.addEventListener('pointermove', ({ clientX, clientY, pointerId }) => {
    if (!from) return
    const [x, y] = [clientX - from.x, clientY - from.y]
    if (!isMoving && Math.hypot(x, y) < DRAG) return
    if (!isMoving) box.setPointerCapture(pointerId)
    isMoving = true
    box.scrollTo({ left: from.left - x, top: from.top - y })
  })
  for (const type of ['pointerup', 'pointercancel'] as const) {
    box.addEventListener(type, () => {
      from = undefined
    })
  }
  box.addEventListener('dragstart', (event) => event.preventDefault())
  // The end of a drag is no click on a role.
  box.addEventListener('click', (event) => isMoving && event.preventDefault(), { capture: true })
}

function pinched(chart: Chart): void {
  const { box } = chart
  let last: (Point & { apart: number }) | undefined
  const read = ({ touches: [a, b] }: TouchEvent) => {
    if (!a || !b) return undefined
    const { left, top } = box.getBoundingClientRect()
    const middle = { x: (a.clientX + b.clientX) / 2 - left, y: (a.clientY + b.clientY) / 2 - top }
    return { ...middle, apart: Math.hypot(a.clientX - b.clientX, a.clientY - b.clientY) }
  }
  box.addEventListener('touchstart', (event) => {
    last = read(event)
  })
  box.addEventListener(
    'touchmove',
    (event) => {
      const now = read(event)
      if (!now || !last) return
      event.preventDefault()
      box.scrollBy({ left: last.x - now.x, top: last.y - now.y })
      zoom(chart, (scaleOf(chart) * now.apart) / last.apart, now)
      last = now
    },
    { passive: false },
  )
}

/** Shows what the page says of a role further down beside the chart. False where the page does not have it. */
function openRole(figure: HTMLElement, link: HTMLAnchorElement): boolean {
  const panel = figure.querySelector<HTMLElement>('.role-panel')
  const told = link.pathname === location.pathname && document.getElementById(decodeURIComponent(link.hash.slice(1)))
  if (!panel || !told) return false
  const content = told.cloneNode(true) as HTMLElement
  content.removeAttribute('id')
  const heading = panel.querySelector('h3')!
  heading.textContent = told.closest('details')?.querySelector('h3')?.textContent ?? ''
  panel.querySelector('[data-role]')!.replaceChildren(content)
  panel.hidden = false
  for (const other of figure.querySelectorAll('[aria-current]')) other.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'true')
  heading.focus()
  return true
}

function closeRole(figure: HTMLElement): void {
  const panel = figure.querySelector<HTMLElement>('.role-panel')!
  const link = figure.querySelector<HTMLElement>('[aria-current]')
  panel.hidden = true
  link?.removeAttribute('aria-current')
  link?.focus()
}

function listen(figure: HTMLElement, chart: Chart): void {
  const { box } = chart
  const say = () => announce(`${Math.round(scaleOf(chart) * 100)} %`)
  box.addEventListener(
    'wheel',
    (event) => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left, top } = box.getBoundingClientRect()
      zoom(chart, scaleOf(chart) * 2 ** (-event.deltaY / 200), { x: event.clientX - left, y: event.clientY - top })
    },
    { passive: false },
  )
  figure.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const panel = figure.querySelector<HTMLElement>('.role-panel:not([hidden])')
    if (event.key === 'Escape' && panel) return closeRole(figure)
    const act = acts[keys[event.key] ?? '']
    if (act) {
      act(chart)
      say()
    } else if (!panel?.contains(event.target as Node) && move(box, event.key)) event.preventDefault()
  })
  figure.addEventListener('click', (event) => {
    const target = event.target as Element
    const act = acts[target.closest<HTMLElement>('[data-zoom]')?.dataset.zoom ?? '']
    if (act) {
      act(chart)
      return say()
    }
    if (target.closest('[data-close]')) return closeRole(figure)
    const link = target.closest<HTMLAnchorElement>('a.box')
    const isOurs = link && !event.defaultPrevented && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (isOurs && openRole(figure, link)) event.preventDefault()
  })
}

const known = new WeakSet<HTMLElement>()

/** Lets the chart of a figure zoom, move and open roles, from the first time on that it is pointed at or focused. */
export function attach(figure: HTMLElement): void {
  const box = figure.querySelector<HTMLElement>('.drawing')
  const svg = box?.querySelector('svg')
  if (!box || !svg || known.has(figure)) return
  known.add(figure)
  box.classList.add('moving')
  // A press focuses it, for the keys.
  box.tabIndex = -1
  const chart = { box, svg, natural: svg.viewBox.baseVal.width }
  listen(figure, chart)
  dragged(chart)
  pinched(chart)
}
