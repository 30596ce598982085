// Every page in German, as a visitor, a member, a moderator and an admin see it: no sentence of the English catalogue is left on it.
import assert from 'node:assert/strict'
import { handbook } from '../site/src/lib/documents.ts'
import { about, api } from '../src/api.ts'
import type { Contract } from '../src/contract/operation.ts'
import { forAdmins, forAnybody } from './browser/pages.ts'
import { fillPages } from './filled-pages.ts'
import { englishSentences } from './words/english.ts'
import { onEveryEngine, type Person } from './world.ts'

/** Their text is in English in any language, in an element that says so. */
const DOCUMENTS = new RegExp(`^/(blog|dev|api)|^(${handbook.map(({ href }) => href).join('|')})$`)
const paths = [...new Set([...Object.values(forAnybody), ...Object.values(forAdmins)])].filter(
  (path) => !DOCUMENTS.test(path),
)
const known = new Set(englishSentences)
/** What the reference calls operations and their parts: that is of the API, which is in English. */
const summaries = new Set([
  ...Object.values(about),
  ...Object.values<Contract>(api).flatMap((contract) => Object.values(contract).map(({ summary }) => summary)),
])
const isOfReference = (path: string, text: string) => path.startsWith('/docs/reference') && summaries.has(text)

const entities: Readonly<Record<string, string>> = {
  '&amp;': '&',
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
}
const plain = (text: string) =>
  text
    .replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => entities[entity] ?? entity)
    .replace(/\s+/g, ' ')
    .trim()

/** What is read and heard of a page: its texts, without code, and the attributes that are spoken. */
function spokenIn(html: string): string[] {
  const body = html.slice(html.indexOf('<body')).replace(/<script.*?<\/script>|<code.*?<\/code>|<!--.*?-->/gs, '')
  const attributes = [...body.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]*)"/g)].map(([, text = '']) => text)
  return [...attributes, ...body.split(/<[^>]*>/)].map(plain).filter(Boolean)
}

onEveryEngine('the pages in German', (it) => {
  it('have no English sentence, for a visitor, a member, a moderator and an admin', async (world) => {
    assert.ok(known.size > 400, `${known.size} sentences to look for`)
    const things = await fillPages(world)
    const readers: Record<string, Person> = {
      visitor: world.anonymous,
      member: world.alice,
      moderator: world.moderator,
      admin: world.admin,
    }
    const found: string[] = []
    for (const [name, reader] of Object.entries(readers)) {
      for (const path of [...paths, ...things]) {
        const response = await reader.request(path, { headers: { 'Accept-Language': 'de' }, redirect: 'manual' })
        if (!response.headers.get('content-type')?.startsWith('text/html')) continue
        const html = await response.text()
        if (!html.includes('<html lang="de"')) found.push(`${path} is not in German for a ${name}`)
        for (const text of new Set(spokenIn(html)))
          if (known.has(text) && !isOfReference(path, text)) found.push(`${path} says to a ${name}: ${text}`)
      }
    }
    assert.deepEqual(found, [])
  })
})
