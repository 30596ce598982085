// Parts that are turned off, for the pages of those that are on: what is read of them, and links to them in what members wrote.

type Locals = Pick<App.Locals, 'server'>

/** What an operation answers; undefined where its part is off. */
export const unlessOff = <T>({ server }: Locals, operation: string, read: () => Promise<T>): Promise<T | undefined> =>
  server.off.hasOperation(operation) ? Promise.resolve(undefined) : read()

const LINK = /<a\b([^>]*?)\shref="([^"]*)"([^>]*)>([\s\S]*?)<\/a>/g

/** A page without links to what is off: their words stay, and buttons go. */
export function unlinked(html: string, { server: { off, baseUrl } }: Locals): string {
  if (off.key === '') return html
  return html.replace(LINK, (link, ...found: string[]) => {
    const [before = '', href = '', after = '', words = ''] = found
    const { origin, pathname } = URL.parse(href.replaceAll('&amp;', '&'), baseUrl) ?? {}
    if (origin !== baseUrl || pathname === undefined || !off.hasPage(pathname)) return link
    return /\bbutton\b/.test(before + after) ? '' : `<span>${words}</span>`
  })
}
