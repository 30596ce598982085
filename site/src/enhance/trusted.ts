// The only place that parses HTML in the browser, or starts a script by its address. Trusted Types enforce that (vite.config.ts): nothing else here
// can parse HTML, and this parses only responses of this site.

interface Policy {
  createHTML(text: string): string
  createScriptURL(url: string): string
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

const rules: Policy = { createHTML: (text) => text, createScriptURL: (url) => url }
const { trustedTypes } = globalThis as { trustedTypes?: Factory }
/** Created once: the CSP allows one policy of this name. Browsers without Trusted Types use the rules directly. */
const policy = trustedTypes?.createPolicy('guildhall', rules) ?? rules

/** A header of every page of the site and of nothing else served here. A member's file cannot have it. */
const PAGE = 'Guildhall-Page'

/**
 * Whether a response is a page of this site: its final URL is on our origin and it has our header. `whole` is a page,
 * `part` is a fragment.
 */
export function isOurAnswer({ url, headers }: Response, kind: 'whole' | 'part' = 'whole'): boolean {
  return URL.parse(url)?.origin === location.origin && headers.get(PAGE) === kind
}

/** The document of a response of this site; undefined for any other response. */
export async function documentIn(response: Response, kind?: 'whole' | 'part'): Promise<Document | undefined> {
  const text = await response.text()
  const isHtml = response.headers.get('content-type')?.startsWith('text/html')
  if (!isHtml || !isOurAnswer(response, kind)) return undefined
  return new DOMParser().parseFromString(policy.createHTML(text), 'text/html')
}

/** The service worker of the site, when it is active. */
export async function serviceWorkerAt(url: string): Promise<ServiceWorkerRegistration> {
  await navigator.serviceWorker.register(policy.createScriptURL(url))
  return navigator.serviceWorker.ready
}

/** A worker of the site's own build. */
export const workerAt = (url: string): Worker => new Worker(policy.createScriptURL(url), { type: 'module' })
