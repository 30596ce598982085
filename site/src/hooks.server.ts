// Every page: the API as its reader may use it, who that is, and the few things that stand in the page's frame.
import type { Handle, HandleServerError } from '@sveltejs/kit/hooks'

const THEMES = ['light', 'dark']

export const handle: Handle = async ({ event, resolve }) => {
  const { request, platform, locals, cookies } = event
  const cookieLines: string[] = []
  const onCookie = (line: string) => cookieLines.push(line)
  locals.api = platform!.connect(request, onCookie)
  locals.send = (path, init) => platform!.send(new Request(new URL(path, event.url), init), onCookie)
  let user: ReturnType<App.Locals['user']> | undefined
  locals.user = () => (user ??= findUser(event))
  const theme = THEMES.find((name) => name === cookies.get('theme')) ?? 'system'
  const accent = platform!.accent ? `<style nonce="$1">:root{--brand:${platform!.accent}}</style>\n` : ''
  // The page is kept aside and an empty one handed back: SvelteKit would hash all of it for an ETag, and with a nonce in it no
  // two pages are the same.
  let page: string | undefined
  const response = await resolve(event, {
    preload: ({ type }) => type === 'font' || type === 'js' || type === 'css',
    transformPageChunk: ({ html }) => {
      page = html
        .replace('%guildhall.theme%', theme)
        .replace(/<style nonce="([^"]*)">%guildhall.accent%<\/style>\n/, accent)
      return ''
    },
  })
  if (page === undefined) {
    for (const line of cookieLines) response.headers.append('Set-Cookie', line)
    return response
  }
  const headers = new Headers(response.headers)
  for (const name of ['etag', 'content-length']) headers.delete(name)
  headers.set('content-type', 'text/html; charset=utf-8')
  for (const line of cookieLines) headers.append('Set-Cookie', line)
  return new Response(page, { status: response.status, headers })
}

async function findUser({ request, locals }: Parameters<Handle>[0]['event']) {
  if (!request.headers.has('cookie')) return undefined
  return (await locals.api.accounts.getSession())?.user
}

export const handleError: HandleServerError = ({ kind, error, event }) => {
  if (kind === 'framework' && error.status === 404) return { message: 'There is nothing here' }
  return kind === 'unknown'
    ? { message: 'Something broke on our side', requestId: event.platform?.report(error) }
    : undefined
}
