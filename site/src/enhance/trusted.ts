// The only way in which text becomes part of the document. Trusted Types hold the page to it (vite.config.ts): nothing else here
// can parse HTML, and this parses only what our own pages say of themselves.

interface Policy {
  createHTML(text: string): string
}
interface Factory {
  createPolicy(name: string, rules: Policy): Policy
}

const rules: Policy = { createHTML: (text) => text }
const { trustedTypes } = globalThis as { trustedTypes?: Factory }
/** Made once: the page's policy allows no second one of this name. Where browsers know no Trusted Types, there is nothing to ask. */
const policy = trustedTypes?.createPolicy('guildhall', rules) ?? rules

/** On every page of the site, and on nothing else that is served here: a member's file cannot carry it. */
const PAGE = 'Guildhall-Page'

/**
 * Whether an answer is of this site: it came from our own origin, wherever it was asked for, and says so itself. `whole` is a page,
 * `part` a piece of one.
 */
export function isOurAnswer({ url, headers }: Response, kind: 'whole' | 'part' = 'whole'): boolean {
  return URL.parse(url)?.origin === location.origin && headers.get(PAGE) === kind
}

/** What an answer of this site holds; undefined for any other. */
export async function documentIn(response: Response, kind?: 'whole' | 'part'): Promise<Document | undefined> {
  const text = await response.text()
  const isHtml = response.headers.get('content-type')?.startsWith('text/html')
  if (!isHtml || !isOurAnswer(response, kind)) return undefined
  return new DOMParser().parseFromString(policy.createHTML(text), 'text/html')
}
