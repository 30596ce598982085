// The words that a page hands to its script, which has no catalogue: `data-words` of an element, as JSON. `src/enhance/words.ts` reads them.
import { areas } from '../../../../messages/catalogue.ts'
import type { Key, SiteWords } from './catalogue.ts'
import { refusalIn } from './refusals.ts'

/** `page`, which every page has, and `palette`; the others are where their forms are. */
type Group = 'page' | 'palette' | 'passkey' | 'file' | 'upload' | 'widget' | 'push'

type Own = keyof (typeof areas)['script']['en']

/** Sentences of the script that pages say too. */
const shared = {
  'page.unread': 'frame.unread',
  'page.noneUnread': 'frame.noneUnread',
  'page.retrySoon': 'errors.retrySoon',
  'page.retrySeconds': 'errors.retrySeconds',
  'page.retryMinutes': 'errors.retryMinutes',
  'page.netVotes': 'ui.vote.net',
  'passkey.tooMany': 'errors.tooMany',
  'passkey.blocked': 'errors.blocked',
  'push.tooMany': 'errors.tooMany',
  'upload.sessionOver': 'errors.sessionOver',
  'upload.sending': 'library.upload.uploading',
  'palette.search': 'search.title',
  'palette.kind.post': 'kinds.post.word',
  'palette.kind.bug': 'kinds.bug.word',
  'palette.kind.feature': 'kinds.feature.word',
  'palette.kind.org': 'kinds.org.word',
  'palette.kind.release': 'kinds.release.word',
  'palette.kind.workflow': 'kinds.workflow.word',
  'palette.kind.automation': 'kinds.automation.word',
  'palette.kind.comment': 'kinds.comment.word',
  'palette.kind.person': 'kinds.person.word',
  'palette.kind.label': 'kinds.label.word',
  'palette.kind.tag': 'kinds.tag.word',
  'palette.kind.team': 'kinds.team.word',
} as const satisfies Record<string, Key>

/** What the script asks for (`words.ts`). */
export type ScriptWord = Own | keyof typeof shared

const names = Object.keys({ ...areas.script.en, ...shared }).filter(
  (name): name is ScriptWord => Object.hasOwn(areas.script.en, name) || Object.hasOwn(shared, name),
)

/** The key of a word in the catalogue. */
const keyOf = (name: ScriptWord): string => (name in shared ? shared[name as keyof typeof shared] : `script.${name}`)

/** The smallest number of a form of the plural, such as 1 for `one`. */
const sampleOf = (rules: Intl.PluralRules, form: string) =>
  Array.from({ length: 200 }, (_, count) => count).find((count) => rules.select(count) === form)

/** A text with its variables in braces; one with a plural as its forms, `{ one: '{count} role', other: '{count} roles' }`. */
function wordOf(t: SiteWords, key: string): string | Record<string, string> {
  const text = t.source(key)
  const names = [...text.matchAll(/\{\s*(\w+)\s*\}/g)].map(([, name = '']) => name)
  const kept = Object.fromEntries(names.filter((name) => name !== 'site').map((name) => [name, `{${name}}`]))
  if (!/\{\s*count\s*,/.test(text)) return t.text(key, kept)
  const rules = new Intl.PluralRules(t.language)
  return Object.fromEntries(
    rules.resolvedOptions().pluralCategories.flatMap((form) => {
      const count = sampleOf(rules, form)
      if (count === undefined) return []
      // The digits are those of the language, or of English where the message is.
      const said = t.text(key, { ...kept, count })
      const shown = [t.number(count), `${count}`].find((digits) => said.includes(digits)) ?? '{count}'
      return [[form, said.replace(shown, '{count}')]]
    }),
  )
}

/** The words of the script (words.ts), or those of the server where the form is sent without one. */
export interface Sayer {
  word(name: ScriptWord, values?: Readonly<Record<string, string>>): string
  /** A sentence of the API in the reader's language. */
  said(message: string): string | Promise<string>
}

/** The same words on the server, for a form that is sent without script. */
export const sayerOf = (t: SiteWords): Sayer => ({
  word: (name, values = {}) => t.text(keyOf(name), values),
  said: (message) => refusalIn(t, message),
})

const made = new WeakMap<SiteWords, Map<string, string>>()

/** The words of some groups in the reader's language, for `data-words`. */
export function scriptWords(t: SiteWords, ...groups: readonly Group[]): string {
  const key = `${groups}`
  const ofWords = made.get(t) ?? new Map<string, string>()
  made.set(t, ofWords)
  const known = ofWords.get(key)
  if (known !== undefined) return known
  const chosen = names.filter((name) => groups.some((group) => name.startsWith(`${group}.`)))
  const words = JSON.stringify(Object.fromEntries(chosen.map((name) => [name, wordOf(t, keyOf(name))])))
  ofWords.set(key, words)
  return words
}
