// Parts that are turned off, for the pages of those that are on: what is read of them, and links to them in what members wrote.

type Locals = Pick<App.Locals, 'server'>

/** What an operation answers; undefined where its part is off. */
export const unlessOff = <T>({ server }: Locals, operation: string, read: () => Promise<T>): Promise<T | undefined> =>
  server.off.hasOperation(operation) ? Promise.resolve(undefined) : read()

const LINK = /<a\b([^>]*?)\shref="([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g

/** An address of this server that is its own path: nearly every link of a page. */
const PLAIN = /^\/(?!\/)[\w/-]*$/

/** The path that a link leads to; undefined for one to elsewhere. */
function pathOf(href: string, baseUrl: string): string | undefined {
  if (PLAIN.test(href)) return href
  const { origin, pathname } = URL.parse(href.replaceAll('&amp;', '&'), baseUrl) ?? {}
  return origin === baseUrl ? pathname : undefined
}

/** A page without links to what is off: their words stay, and buttons go. */
export function unlinked(html: string, { server: { off, baseUrl } }: Locals): string {
  if (off.key === '') return html
  return html.replace(LINK, (link, ...found: string[]) => {
    const [before = '', href = '', after = '', words = ''] = found
    const path = pathOf(href, baseUrl)
    if (path === undefined || !off.hasPage(path)) return link
    return /\bbutton\b/.test(before + after) ? '' : `<span>${words}</span>`
  })
}
