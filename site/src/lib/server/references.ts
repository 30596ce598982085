// Links `#128` and `@mira` in members' texts to what they refer to. The parser marks them (markdown-parser.ts), and one call asks for
// those of a page. What does not exist stays text.
import { addressOf } from '#lib/thing-address.ts'
import { found } from './answers.ts'
import { escapeHtml } from './highlight.ts'

/** What the sanitizer lets through of a mark: no member can write it in another way. */
const MARK = /<span class="reference">([#@])([\w-]+)<\/span>/g
/** Of each kind, in one call. */
const MAX_ASKED = 100

/** Texts with their references as plain text. */
export const withoutReferences = (html: string): string => html.replace(MARK, '$1$2')

/** Rendered texts with links in place of their marks. */
export async function linkReferences(api: App.Locals['api'], texts: readonly string[]): Promise<string[]> {
  const [numbers, names] = [new Set<string>(), new Set<string>()]
  for (const text of texts) {
    for (const [, sign, name = ''] of text.matchAll(MARK)) {
      const asked = sign === '#' ? numbers : names
      if (asked.size < MAX_ASKED) asked.add(sign === '#' ? name : name.toLowerCase())
    }
  }
  if (numbers.size + names.size === 0) return [...texts]
  const known = await found(api.references.list({ numbers: [...numbers].join(), usernames: [...names].join() }))
  const links = new Map([
    ...known.numbers.map(({ number, url, title }): [string, string] => [
      `#${number}`,
      `<a href="${escapeHtml(addressOf({ url, number, title }))}" title="${escapeHtml(title)}">#${number}</a>`,
    ]),
    ...known.members.map(({ username, url }): [string, string] => [
      `@${username.toLowerCase()}`,
      `<a href="${escapeHtml(url)}">@${username}</a>`,
    ]),
  ])
  return texts.map((text) =>
    text.replace(MARK, (_, sign: string, name: string) => links.get(`${sign}${name.toLowerCase()}`) ?? sign + name),
  )
}
