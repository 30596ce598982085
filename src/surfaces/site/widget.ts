// The page of the widget: the one page that other sites may show in a frame, as far as an admin listed them. It is made without the cookies of its
// reader, so that nothing in a frame acts or reads by a session, also where the host is of the same site and its cookies would come along.
import type { Config } from '../../config/config.ts'

/** The page, its data and its script. */
export const isOfWidget = (path: string): boolean => /^\/widget(?:\.js|\/__data\.json)?$/.test(path)

/** A request for it that knows nothing of who reads; the language is that of the host (`lang`). */
export function withoutReader(asked: Request): Request {
  const headers = new Headers(asked.headers)
  for (const name of ['cookie', 'authorization']) headers.delete(name)
  const language = new URL(asked.url).searchParams.get('lang')
  if (language !== null && /^[a-z]{2}(?:-[a-z]{2})?$/i.test(language)) headers.set('accept-language', language)
  const { method } = asked
  return new Request(asked.url, { method, headers })
}

/** Lets the listed sites, and no other one, frame a response that is there. */
export function letFrame({ headers, status }: Response, { widgetSites }: Pick<Config, 'widgetSites'>): void {
  const policy = headers.get('content-security-policy')
  if (status !== 200 || !policy || widgetSites.length === 0) return
  headers.set(
    'Content-Security-Policy',
    policy.replace(/frame-ancestors [^;]*/, `frame-ancestors ${widgetSites.join(' ')}`),
  )
  headers.delete('X-Frame-Options')
}
