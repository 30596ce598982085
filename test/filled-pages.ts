// Things of each kind, and the addresses of their pages, for tests that read every page.
import { agentOf } from './agents.ts'
import { automationFile } from './library.ts'
import { home } from './webhook-receiver.ts'
import type { World } from './world.ts'

const HOOK = 'https://127.0.0.1:9/hook'

/** Makes them, and returns the paths of their pages. */
export async function fillPages(world: World): Promise<string[]> {
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
  const pages = ['edit', 'owners', 'webhooks', 'publishers', 'used-by', 'compare?from=1.0.0&to=1.1.0', 'versions/1.0.0']
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
