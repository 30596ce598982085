// Every page in German, as a visitor, a member, a moderator and an admin see it: no sentence of the English catalogue is left on it.
import assert from 'node:assert/strict'
import { forAdmins, forAnybody } from './browser/instance.ts'
import { englishSentences } from './words/english.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

/** Their text is in English in any language, in an element that says so. */
const DOCUMENTS = /^\/(docs(?!\/reference)|privacy|terms|blog|dev|api)/
const paths = [...new Set([...Object.values(forAnybody), ...Object.values(forAdmins)])].filter(
  (path) => !DOCUMENTS.test(path),
)
const known = new Set(englishSentences)

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

/** What is read and heard of a page: its texts and the attributes that are spoken. */
function spokenIn(html: string): string[] {
  const body = html.slice(html.indexOf('<body')).replace(/<script.*?<\/script>|<!--.*?-->/gs, '')
  const attributes = [...body.matchAll(/ (?:aria-label|title|placeholder|alt)="([^"]*)"/g)].map(([, text = '']) => text)
  return [...attributes, ...body.split(/<[^>]*>/)].map(plain).filter(Boolean)
}

/** What each of them finds. */
async function fill({ alice }: World): Promise<string[]> {
  const post = await alice.posts.create({ title: 'Ein Beitrag', body: 'Ein Text.' })
  const bug = await alice.bugs.create({ title: 'Ein Fehler', description: 'Ein Text.', severity: 'low' })
  const feature = await alice.features.create({ title: 'Ein Wunsch', description: 'Ein Text.' })
  await alice.posts.comment({ id: post.id, body: 'Ein Kommentar.' })
  const things = [`posts/${post.id}`, `bugs/${bug.id}`, `features/${feature.id}`].map((thing) => `/community/${thing}`)
  return [...things, ...things.map((thing) => `${thing}/edit`)]
}

onEveryEngine('the pages in German', (it) => {
  it('have no English sentence, for a visitor, a member, a moderator and an admin', async (world) => {
    assert.ok(known.size > 400, `${known.size} sentences to look for`)
    const things = await fill(world)
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
          if (known.has(text)) found.push(`${path} says to a ${name}: ${text}`)
      }
    }
    assert.deepEqual(found, [])
  })
})
