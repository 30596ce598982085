// Every page in German, as a visitor, a member, a moderator and an admin see it: no sentence of the English catalogue is left on it.
import assert from 'node:assert/strict'
import { api } from '../src/api.ts'
import type { Contract } from '../src/contract/operation.ts'
import { agentOf } from './agents.ts'
import { forAdmins, forAnybody } from './browser/instance.ts'
import { automationFile } from './library.ts'
import { home } from './webhook-receiver.ts'
import { englishSentences } from './words/english.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

/** Their text is in English in any language, in an element that says so. */
const DOCUMENTS = /^\/(blog|dev|api)/
const paths = [...new Set([...Object.values(forAnybody), ...Object.values(forAdmins)])].filter(
  (path) => !DOCUMENTS.test(path),
)
const known = new Set(englishSentences)
/** What the reference calls operations: that is of the API, which is in English. */
const summaries = new Set(
  Object.values<Contract>(api).flatMap((contract) => Object.values(contract).map(({ summary }) => summary)),
)
const isOfReference = (path: string, text: string) => path.startsWith('/docs/reference') && summaries.has(text)
const HOOK = 'https://127.0.0.1:9/hook'

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

/** What each of them finds. */
async function fill(world: World): Promise<string[]> {
  const { alice } = world
  const post = await alice.posts.create({ title: 'Ein Beitrag', body: 'Ein Text.' })
  const bug = await alice.bugs.create({ title: 'Ein Fehler', description: 'Ein Text.', severity: 'low' })
  const feature = await alice.features.create({ title: 'Ein Wunsch', description: 'Ein Text.' })
  await alice.posts.comment({ id: post.id, body: 'Ein Kommentar.' })
  const things = [`posts/${post.id}`, `bugs/${bug.id}`, `features/${feature.id}`].map((thing) => `/community/${thing}`)
  const edits = things.map((thing) => `${thing}/edit`)
  return [...things, ...edits, ...(await addItem(world)), await addWebhook(world), await addPendingAct(world)]
}

/** An item with two versions, an invitation and a webhook; the pages are those of its owner. */
async function addItem(world: World): Promise<string[]> {
  const { alice, bob } = world
  world.dependencies.reach = home
  await bob.profile.setUsername({ username: 'bob' })
  const first = automationFile({ version: '1.0.0' }, [])
  const { id, slug } = await alice.library.publish({ kind: 'automation', visibility: 'public', file: first })
  const permissions = { steps: ['navigate'], downloads: true }
  await alice.library.publishVersion({ id, file: automationFile({ version: '1.1.0', permissions }, []) })
  await alice.library.addMaintainer({ id, username: 'bob', role: 'maintainer' })
  const hook = await alice.itemWebhooks.create({ url: HOOK, itemId: id })
  await alice.itemWebhooks.test({ id: hook.id })
  await world.app.sendWebhooks()
  const pages = ['edit', 'owners', 'webhooks', 'used-by', 'compare?from=1.0.0&to=1.1.0', 'versions/1.0.0']
  const path = `/library/automations/${slug}`
  return [
    path,
    ...pages.map((page) => `${path}/${page}`),
    `${path}/files/automation.json`,
    `/settings/webhooks/${hook.id}`,
  ]
}

/** One of the community, whose delivery failed. */
async function addWebhook({ admin, app }: World): Promise<string> {
  const { id } = await admin.webhooks.create({ url: HOOK, events: ['bug.created'] })
  await admin.webhooks.test({ id })
  await app.sendWebhooks()
  return `/admin/webhooks/${id}`
}

/** A write of an agent that waits for approval. */
async function addPendingAct(world: World): Promise<string> {
  const bounds = [{ type: 'guildhall_bounds', ask: ['posts'] }]
  const agent = await agentOf(world, world.alice, { more: { authorization_details: JSON.stringify(bounds) } })
  const post = await world.alice.posts.create({ title: 'Noch ein Beitrag', body: 'Ein Text.' })
  const refusal: unknown = await agent.posts
    .edit({ id: post.id, title: 'Ein anderer Titel' })
    .catch((error: unknown) => error)
  await world.app.deliver()
  const { body } = refusal as { body: { url: string } }
  return body.url
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
          if (known.has(text) && !isOfReference(path, text)) found.push(`${path} says to a ${name}: ${text}`)
      }
    }
    assert.deepEqual(found, [])
  })
})
