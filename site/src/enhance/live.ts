// The number of unread notifications in the head, while a page is open and seen. Without it the number is that of when the page came.
import { word } from './words.ts'

const STREAM = '/api/community/notifications/stream'

let source: EventSource | undefined

function show(unread: number): void {
  const link = document.querySelector<HTMLElement>('a[data-unread]')
  const count = link?.querySelector<HTMLElement>('[data-count]')
  if (!link || !count) return
  link.dataset.unread = String(unread)
  count.hidden = unread === 0
  count.textContent = unread > 99 ? '99+' : String(unread)
  link.lastElementChild!.textContent = word(unread === 0 ? 'page.noneUnread' : 'page.unread')
}

/** Browsers have few connections to a site: a page that is not seen needs none. */
function follow(): void {
  if (document.visibilityState === 'hidden') {
    source?.close()
    source = undefined
  } else if (!source) {
    source = new EventSource(STREAM)
    source.addEventListener('unread', ({ data }) => show(Number(data)))
  }
}

export function live(): void {
  addEventListener('visibilitychange', follow, true)
  addEventListener('pagehide', () => {
    source?.close()
    source = undefined
  })
  follow()
}
