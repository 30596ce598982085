// One thing of every kind, with what leads to it from elsewhere: for tests of parts that are off.
import { automationFile, orgFile, workflowFile } from './library.ts'
import { agentThatAsks, waits } from './pending.ts'
import { known } from './teams.ts'
import type { World } from './world.ts'

/** What texts of a kind say, and nothing else. */
export const mark = (kind: string) => `zebra${kind}`

/** One thing of every kind, with a comment on each, and an inbox that tells of them. */
export async function fill(world: World): Promise<string[]> {
  const { alice, bob, moderator } = world
  await known(world, alice, 'alice')
  await bob.profile.setUsername({ username: 'bobby' })
  const texts = (kind: string) => ({ title: `Zebra ${mark(kind)}`, body: 'Text' })
  const bug = await alice.bugs.create({ title: texts('bug').title, description: 'D', severity: 'low' })
  const feature = await alice.features.create({ title: texts('feature').title, description: 'D' })
  const post = await alice.posts.create(texts('post'))
  const release = await moderator.changelog.create(texts('release'))
  const org = await alice.orgs.create({
    orgJson: await orgFile({ name: mark('org') }).text(),
  })
  const workflow = await alice.library.publish({
    kind: 'workflow',
    visibility: 'public',
    file: workflowFile({ name: mark('workflow') }),
  })
  const automation = await alice.library.publish({
    kind: 'automation',
    visibility: 'public',
    file: automationFile({ name: mark('automation') }),
  })
  await alice.teams.create({ slug: 'zebras', name: mark('team') })
  const comment = (kind: string) => `On ${mark(kind)}`
  await bob.bugs.comment({ id: bug.id, body: comment('bug') })
  await bob.features.comment({ id: feature.id, body: comment('feature') })
  await bob.posts.comment({ id: post.id, body: comment('post') })
  await bob.changelog.comment({ id: release.id, body: comment('release') })
  await bob.orgs.comment({ id: org.id, body: comment('org') })
  await bob.library.comment({ id: workflow.id, body: comment('workflow') })
  await bob.library.comment({ id: automation.id, body: comment('automation') })
  await bob.blog.comment({ slug: 'what-guildhall-is', body: comment('blog') })
  for (const { id } of [bug, feature, post, release, org]) await bob.follows.set({ id, state: 'following' })
  for (const { id } of [bug, feature]) {
    await moderator.threads.assign({ id, account: (await bob.account()).id, reason: null })
  }
  const why = { reason: `As ${mark('bug')} says`, confidence: 1 }
  await alice.suggestions.create({ operation: 'bugs.triage', input: { id: bug.id, severity: 'high' }, ...why })
  await bob.savedFilters.save({ name: mark('bug'), path: '/community/bugs?status=open' })
  await aside(world, { bug: bug.id, feature: feature.id, post: post.id, org: org.id, item: workflow.id })
  await world.app.deliver()
  await world.app.buildSearch()
  return [bug, feature, post, release, org, workflow, automation].map(({ id }) => id)
}

/** The kinds with texts of their own. */
export const KINDS = ['post', 'bug', 'feature', 'release', 'org', 'workflow', 'automation', 'team', 'blog']

/** What only some see of the same things: moderators, admins, and the account itself. */
async function aside(world: World, ids: Record<'bug' | 'feature' | 'post' | 'org' | 'item', string>): Promise<void> {
  const { alice, bob, moderator, admin } = world
  for (const [targetType, targetId] of Object.entries(ids)) {
    const on = { targetType: targetType as keyof typeof ids, targetId }
    await bob.reports.create({ ...on, reason: 'spam', text: 'Look' })
  }
  await moderator.bugs.triage({ id: ids.bug, severity: 'high' })
  await admin.webhooks.create({ url: 'https://hooks.example/all' })
  await admin.webhooks.create({ url: 'https://hooks.example/some', events: ['bug.created', 'post.created'] })
  const field = (kind: string) => ({ form: 'create', fields: [{ name: 'title', text: mark(kind) }] })
  for (const kind of ['bug', 'feature', 'post', 'org'] as const) {
    await alice.drafts.save({ path: `/community/${kind}s/new`, ...field(kind) })
  }
  const agent = await agentThatAsks(world)
  await waits(agent.bugs.edit({ id: ids.bug, title: `Other ${mark('bug')}` }))
  await waits(agent.posts.create({ title: mark('post'), body: 'Text' }))
  await waits(agent.features.comment({ id: ids.feature, body: `On ${mark('feature')}` }))
  await waits(agent.library.comment({ id: ids.item, body: `On ${mark('workflow')}` }))
  await alice.bugs.edit({ id: ids.bug, title: `Zebra ${mark('bug')}`, description: 'Later' })
  await alice.posts.edit({ id: ids.post, title: `Zebra ${mark('post')}`, body: 'Later' })
}
