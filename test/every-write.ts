// A call of every write operation that can be sent twice, in the order of what a community does.
import { generateKeyPairSync, sign } from 'node:crypto'
import { parseNote, vkeyOf } from '@guildhall/verifiable'
import { cosign, witnessOf } from '@guildhall/verifiable/signing'
import { renewSetupLink } from '../src/accounts/setup/setup.ts'
import { tokenOf as guestTokenOf } from '../src/content/guest-digest/tokens.ts'
import { unsubscribeToken } from '../src/content/notifications/letters.ts'
import { newLinkCode } from '../src/identity/chat-links.ts'
import { encodingOf } from '../src/library/statements/statement.ts'
import { timestamp } from '../src/runtime/clock.ts'
import { newId } from '../src/runtime/ids.ts'
import { Authenticator } from './authenticator.ts'
import { startMachine } from './http-service.ts'
import { orgFile, workflowFile } from './library.ts'
import { insertBounce } from './mailing.ts'
import { publishServer } from './mcp-registry.ts'
import { AGENT, oauthClient } from './oauth.ts'
import { named, publish } from './owners.ts'
import { prove, register } from './passkeys.ts'
import { insertWaiting } from './pending.ts'
import { tinyPng } from './pictures.ts'
import { PushBrowser } from './push-service.ts'
import { skillFile } from './skills.ts'
import { joinTeam, known, publishFor, SLUG } from './teams.ts'
import { github, settings as ofGitHub } from './trackers.ts'
import { verify } from './visitor.ts'
import { SITE, siteOf } from './widget.ts'
import type { World } from './world.ts'

const machine = await startMachine()
const WITNESS = witnessOf('witness.example/w1', Buffer.alloc(32, 7))
/** Limits are on, so that a counter would show. */
export const settings = {
  ...machine.settings,
  ...ofGitHub,
  PRIVATE_SERVICES: `${machine.settings.PRIVATE_SERVICES}, ${ofGitHub.PRIVATE_SERVICES}`,
  WITNESS_KEYS: vkeyOf(WITNESS),
  RATE_LIMITS: 'on',
  BUDGETS:
    'topics: 90/hour, 90/hour; owners: 90/hour, 90/hour; images: 90/hour, 90/hour; webhooks: 90/hour, 90/hour; machines: 90/hour, 90/hour',
}

const NOW = '2026-01-01T00:00:00.000Z'
const HOOK = 'https://example.com/hook'
const report = () => new File(['# Report'], 'report.md', { type: 'text/markdown' })

/** What subjects share that are merged. */
async function mergedAndUndone({ alice, moderator, app }: World): Promise<void> {
  const { bugs, features, posts } = alice
  const twoOf = async (create: () => Promise<{ id: string }>) => [await create(), await create()] as const
  const bug = await twoOf(() => bugs.create({ title: 'T', description: 'D', severity: 'low' }))
  await moderator.bugs.merge({ id: bug[0].id, into: bug[1].id, reason: 'Same' })
  await app.deliver()
  await moderator.bugs.undoMerge({ id: bug[0].id, reason: 'Not the same' })
  const feature = await twoOf(() => features.create({ title: 'T', description: 'D' }))
  await moderator.features.merge({ id: feature[0].id, into: feature[1].id, reason: 'Same' })
  await app.deliver()
  await moderator.features.undoMerge({ id: feature[0].id, reason: 'Not the same' })
  const post = await twoOf(() => posts.create({ title: 'T', body: 'B' }))
  await moderator.posts.merge({ id: post[0].id, into: post[1].id, reason: 'Same' })
  await app.deliver()
  await moderator.posts.undoMerge({ id: post[0].id, reason: 'Not the same' })
}

/** What members ask the machine. */
async function asked({ alice }: World): Promise<void> {
  const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start', severity: 'low' })
  const { id: said } = await alice.bugs.comment({ id, body: 'Again' })
  await alice.assistant.summarize({ type: 'bug', id })
  await alice.assistant.suggestLabels({ type: 'bug', id })
  await alice.assistant.suggestAnswer({ type: 'bug', id })
  await alice.assistant.translate({ id: said, language: 'de' })
}

/** What is decided about things beside their records. */
async function decided({ alice, bob, moderator }: World, id: string): Promise<void> {
  const { id: commentId } = await bob.bugs.comment({ id, body: 'Turn it off and on' })
  await bob.threads.visit({ id, seenAt: NOW })
  await bob.threads.visitList({ type: 'bug' })
  await bob.threads.bookmark({ id, bookmarked: true })
  await moderator.threads.pin({ id, pinned: true })
  await moderator.threads.lock({ id, locked: true })
  await alice.threads.solve({ id, commentId })
  await moderator.threads.assign({ id, account: String((await bob.account()).id) })
  await moderator.threads.setDue({ id, dueOn: '2026-12-01' })
  await moderator.threads.unassign({ id, accountId: (await bob.account()).id })
  await moderator.threads.lock({ id, locked: false })
}

async function topics(world: World): Promise<void> {
  const { alice, bob, moderator, admin } = world
  const { id } = await alice.bugs.create({ title: 'Crash', description: 'On start, @bob', severity: 'high' })
  await alice.bugs.edit({ id, title: 'Crash on start' })
  await bob.bugs.vote({ id, value: 1 })
  const severe = { operation: 'bugs.triage', input: { id, severity: 'low' }, reason: 'Rare', confidence: 0.5 }
  const ofBob = await bob.suggestions.create(severe)
  await bob.suggestions.withdraw({ id: ofBob.id })
  const { id: refused } = await bob.suggestions.create(severe)
  await moderator.suggestions.refuse({ ids: [refused] })
  const { id: accepted } = await bob.suggestions.create(severe)
  await moderator.suggestions.accept({ ids: [accepted] })
  await bob.savedFilters.delete(await bob.savedFilters.save({ name: 'Open', path: '/community/bugs?status=open' }))
  const shared = { board: 'main', name: 'Open', path: '/community/bugs?status=open' }
  await moderator.savedFilters.unshare({ board: 'main', ...(await moderator.savedFilters.share(shared)) })
  await bob.textImages.add({ image: await tinyPng() })
  const draft = { path: '/community/bugs/new', form: 'create' }
  await bob.drafts.save({ ...draft, fields: [{ name: 'title', text: 'Aga' }] })
  await bob.drafts.delete(draft)
  const comment = await bob.bugs.comment({ id, body: 'Again' })
  await bob.comments.edit({ id: comment.id, body: 'Again!' })
  await alice.comments.react({ id: comment.id, reaction: 'heart' })
  await alice.comments.unreact({ id: comment.id, reaction: 'heart' })
  await bob.bugs.deleteComment({ id, commentId: comment.id })
  const label = await moderator.labels.create({ name: 'mail', color: '#b4552d' })
  await moderator.labels.update({ id: label.id, color: '#aabbcc' })
  await moderator.bugs.attachLabel({ id, labelId: label.id })
  await moderator.bugs.detachLabel({ id, labelId: label.id })
  await moderator.bugs.triage({ id, status: 'in_progress' })
  await decided(world, id)
  await admin.boards.create({ slug: 'labs', name: 'Labs' })
  await admin.boards.update({ board: 'labs', description: 'What is tried' })
  await moderator.boards.move({ board: 'labs', type: 'bug', id })
  await moderator.boards.move({ board: 'main', type: 'bug', id })
  await admin.boards.archive({ board: 'labs', archived: true })
  await admin.boards.delete({ board: 'labs' })
  await alice.bugs.close({ id, closed: true })
  await bob.follows.set({ id, state: 'following' })
  await moderator.bugs.delete({ id })
  const feature = await alice.features.create({ title: 'Pause', description: 'On holidays' })
  await alice.features.edit({ id: feature.id, title: 'Pause all' })
  await bob.features.vote({ id: feature.id, value: 1 })
  const wish = await bob.features.comment({ id: feature.id, body: 'Me too' })
  await bob.features.deleteComment({ id: feature.id, commentId: wish.id })
  const another = await bob.features.comment({ id: feature.id, body: 'And again' })
  await bob.comments.delete({ id: another.id })
  await admin.features.setStatus({ id: feature.id, status: 'planned' })
  await alice.features.close({ id: feature.id, closed: true })
  await moderator.features.attachLabel({ id: feature.id, labelId: label.id })
  await moderator.features.detachLabel({ id: feature.id, labelId: label.id })
  await moderator.features.delete({ id: feature.id })
  const post = await alice.posts.create({ title: 'Books', body: 'Kept' })
  await alice.posts.edit({ id: post.id, body: 'Well kept' })
  await bob.posts.vote({ id: post.id, value: 1 })
  const reply = await bob.posts.comment({ id: post.id, body: 'Indeed' })
  await bob.posts.deleteComment({ id: post.id, commentId: reply.id })
  await moderator.posts.attachLabel({ id: post.id, labelId: label.id })
  await moderator.posts.detachLabel({ id: post.id, labelId: label.id })
  await moderator.posts.delete({ id: post.id })
}

async function news({ alice, bob, admin, moderator, app, dependencies }: World): Promise<void> {
  const draft = await moderator.changelog.create({ title: 'Version 2', body: 'More', draft: true })
  await moderator.changelog.edit({ id: draft.id, title: 'Version 2.0' })
  await admin.changelog.publish({ id: draft.id })
  await bob.changelog.vote({ id: draft.id, value: 1 })
  const comment = await bob.changelog.comment({ id: draft.id, body: 'Fine' })
  await bob.changelog.deleteComment({ id: draft.id, commentId: comment.id })
  await moderator.changelog.delete({ id: draft.id })
  const said = await alice.blog.comment({ slug: 'what-guildhall-is', body: 'Well said' })
  await alice.blog.deleteComment({ slug: 'what-guildhall-is', commentId: said.id })
  const post = await alice.posts.create({ title: 'Books', body: 'Kept' })
  await bob.posts.comment({ id: post.id, body: 'Indeed' })
  await app.deliver()
  await alice.notifications.updateSettings({ comment: 'mail' })
  const [notification] = (await alice.notifications.list({})).items
  await alice.notifications.read({ ids: [notification?.id ?? ''] })
  await alice.notifications.unread({ ids: [notification?.id ?? ''] })
  const { id } = await alice.account()
  await bob.notifications.unsubscribe({ token: await unsubscribeToken(dependencies.secretFor, 'mail', id) })
}

async function guests({ anonymous, admin, mails, dependencies }: World): Promise<void> {
  await admin.settings.change({ changes: { GUEST_DIGEST: 'on' } })
  await anonymous.guestDigest.subscribe({ email: 'guest@example.com' })
  const [mail] = await mails('guest@example.com')
  const token = /token=(\S+)/.exec(mail?.body ?? '')?.[1] ?? ''
  await anonymous.guestDigest.confirm({ token })
  const [id = ''] = token.split('.')
  await anonymous.guestDigest.unsubscribe({ token: await guestTokenOf(dependencies.secretFor, 'unsubscribe', id) })
}

async function people(world: World): Promise<void> {
  const { alice, bob, admin } = world
  await alice.profile.update({ name: 'Alice', tagline: 'Hello' })
  await alice.profile.setUsername({ username: 'alice' })
  await alice.language.set({ language: 'de' })
  await alice.avatars.set({ avatar: await tinyPng() })
  await alice.avatars.set({ avatar: await tinyPng() })
  const { id } = await bob.account()
  await admin.admin.block({ id, blocked: true })
  await admin.admin.block({ id, blocked: false })
  await admin.admin.setRole({ id, role: 'moderator' })
  await admin.admin.deleteUser({ id, content: 'anonymise', reason: 'Asked for' })
  await admin.admin.keepUser({ id })
  const invitation = await admin.invitations.create({ email: 'mira@example.com' })
  await admin.invitations.remove({ id: invitation.id })
  await admin.boards.create({ slug: 'inner', name: 'Inner', readers: 'invited' })
  const link = await admin.invitationLinks.create({ role: 'moderator', board: 'inner' })
  const key = new URL(link.link).searchParams.get('key') ?? ''
  await alice.invitation.open({ key })
  await alice.invitation.accept().catch(() => undefined)
  await verify(world, await alice.account())
  await alice.invitation.accept()
  await admin.boards.removeMember({ board: 'inner', userId: (await alice.account()).id })
  await admin.invitationLinks.revoke({ id: link.id })
  const provider = await admin.scimTokens.create({ name: 'Okta' })
  await admin.scimTokens.revoke({ id: provider.id })
  const app = await admin.secretClients.create({ name: 'Inspector' })
  await admin.secretClients.rotate({ id: app.id })
  await admin.secretClients.end({ id: app.id })
  await admin.settings.change({ changes: { WIDGET_SITES: SITE } })
  const site = await siteOf(world)
  await world.anonymous.widget.identify({ identity: await site.sign() })
  await world.anonymous.widget.report({ title: 'T', description: 'D', severity: 'low', screenshot: await tinyPng() })
  await admin.widget.revokeKey({ id: site.keyId })
  await admin.bounces.clear({ id: await insertBounce(world) })
  await admin.settings.change({ changes: { HOLD_LINKS_HOURS: '1' } })
  await admin.samples.remove()
  const person = JSON.stringify({ type: 'person', id: '1', username: 'weaver' })
  const brought = await admin.imports.read({
    source: 'guildhall',
    name: 'acme',
    files: [new File([person], 'a.jsonl')],
  })
  await admin.imports.start({ id: brought.id })
  await admin.imports.pause({ id: brought.id })
  await admin.imports.revert({ id: brought.id })
  await admin.itemImports.bring({ from: 'skills', file: skillFile() })
  await linked(world)
  const [change] = (await admin.settings.listChanges()).items
  await admin.settings.undoChange({ id: change!.id })
}

async function linked({ admin }: World): Promise<void> {
  const token = github.tokenOf('guild-bot')
  const { id } = await admin.trackers.create({ name: github.name, token })
  await admin.trackers.setPerson({ id, login: 'guild-bot', username: null })
  github.addUser('octocat')
  await admin.trackerAccounts.ask({ service: 'github', login: 'octocat' })
  await admin.trackerAccounts.remove({ service: 'github' })
  await admin.trackers.update({ id, state: 'paused' })
  await admin.trackers.remove({ id })
}

async function moderation(world: World): Promise<void> {
  const { alice, bob, moderator, admin, db, app, mails, anonymous } = world
  await bob.account()
  await db
    .updateTable('user')
    .set({ emailVerifiedAt: '2026-01-01T00:00:00.000Z' })
    .where('email', '=', bob.email)
    .execute()
  const { id } = await bob.posts.create({ title: 'Watches', body: 'Advertising' })
  await alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam', text: 'See' })
  const cases = async () => (await moderator.moderation.cases({})).items[0]?.id ?? ''
  const hidden = await moderator.moderation.decide({ id: await cases(), action: 'hide', rule: 'spam', reason: 'No' })
  await bob.moderation.appeal({ id: hidden.id, text: 'It was about the topic' })
  await admin.moderation.decideAppeal({ id: hidden.id, granted: false, reason: 'It was not' })
  await moderator.moderation.undo({ id: hidden.id, reason: 'A mistake' })
  await alice.reports.create({ targetType: 'post', targetId: id, reason: 'spam', text: 'See' })
  await moderator.moderation.decide({ id: await cases(), action: 'block', rule: 'spam', reason: 'No' })
  await app.deliver()
  const token = (await mails(bob.email)).at(-1)?.body.match(/token=(\S+)/)?.[1] ?? ''
  await anonymous.moderation.appealByLink({ token, text: 'It was not me' })
}

async function gallery({ alice, bob, moderator }: World): Promise<void> {
  const { id } = await alice.orgs.create({ orgJson: await orgFile().text() })
  await alice.orgs.update({ id, tagline: 'Checked' })
  await bob.orgs.vote({ id, value: 1 })
  const comment = await bob.orgs.comment({ id, body: 'Fine' })
  await bob.orgs.deleteComment({ id, commentId: comment.id })
  await alice.orgImages.add({ id, image: await tinyPng() })
  const run = await bob.orgRuns.add({ id, files: [report(), report()], label: 'First' })
  await bob.orgRuns.delete({ id, runId: run.id })
  await bob.orgRuns.add({ id, files: [report()] })
  await moderator.orgs.delete({ id })
}

async function items({ alice, bob, admin, anonymous }: World): Promise<void> {
  await alice.library.scanFile({ kind: 'workflow', file: workflowFile() })
  const { id, slug } = await alice.library.publish({ kind: 'workflow', visibility: 'public', file: workflowFile() })
  const about = { item: id, version: '1.0.0' }
  const bug = await bob.bugs.create({ title: 'Crash', description: 'On start', severity: 'low', about })
  await alice.library.publishVersion({ id, file: workflowFile(), closes: String(bug.number) })
  await bob.bugs.edit({ id: bug.id, title: 'Crash again', about: { ...about, version: '1.0.1' } })
  await bob.bugs.edit({ id: bug.id, about: null })
  await alice.library.update({ id, description: 'New' })
  await bob.library.vote({ id, value: 1 })
  await (await bob.library.download({ id, version: '1.0.0' })).arrayBuffer()
  await bob.library.report({ item: id, version: '1.0.0', outcome: 'worked' })
  const comment = await bob.library.comment({ id, body: 'Fine', version: '1.0.0' })
  await bob.comments.edit({ id: comment.id, body: 'Good', version: '1.0.1' })
  await bob.library.deleteComment({ id, commentId: comment.id })
  await alice.library.answerScan({ id, version: '1.0.0', text: 'It is fine' })
  await alice.library.yank({ id, version: '1.0.1', yanked: true, reason: 'Broken' })
  await alice.library.deprecate({ id, deprecated: true, message: 'Old' })
  await anonymous.library.resolve({ items: [{ name: `workflow/${slug}` }] })
  await alice.library.rename({ id, slug: 'evening-digest' })
  await admin.library.deleteVersion({ id, version: '1.0.1', reason: 'Broken' })
  await alice.library.delete({ id })
}

async function owners({ alice, bob, person }: World): Promise<void> {
  const carol = person('carol')
  const [, bobId] = [await named(alice, 'alice'), await named(bob, 'bobby'), await named(carol, 'carol')]
  const { id } = await publish(alice)
  const refused = await alice.library.addMaintainer({ id, username: 'carol', role: 'maintainer' })
  await carol.library.endInvitation({ id: refused.id })
  const invitation = await alice.library.addMaintainer({ id, username: 'bobby', role: 'maintainer' })
  await bob.library.acceptInvitation({ id: invitation.id })
  await alice.library.setMaintainerRole({ id, accountId: bobId, role: 'owner' })
  await alice.library.removeMaintainer({ id, accountId: bobId })
  await alice.library.transfer({ id, username: 'bobby' })
}

async function teams(world: World): Promise<void> {
  const { alice, bob } = world
  await known(world, alice, 'alice')
  const bobId = await named(bob, 'bobby')
  const { slug } = await alice.teams.create({ slug: SLUG, name: 'Night shift' })
  await alice.teams.update({ slug, name: 'Late shift', new_slug: 'late-shift' })
  await alice.teams.setShown({ slug, shown: false })
  await joinTeam(alice, { slug, username: 'bobby' }, bob)
  await alice.teams.setRole({ slug, accountId: bobId, role: 'owner' })
  await alice.teams.remove({ slug, accountId: bobId })
  const { id } = await publishFor(alice, slug)
  const { id: offer } = await alice.library.transfer({ id, username: 'bobby' })
  await bob.library.acceptInvitation({ id: offer })
  await alice.teams.delete({ slug })
}

async function statements({ alice, anonymous, app }: World): Promise<void> {
  // Its name says a domain, which is noted when a version is signed.
  const { id } = await publishServer(alice)
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const public_key = publicKey.export({ format: 'der', type: 'spki' }).subarray(12).toString('base64')
  const key = await alice.publisherKeys.add({ name: 'Laptop', public_key })
  const { payload } = await alice.transparency.statement({ id, version: '1.0.0' })
  const signature = sign(null, encodingOf(Buffer.from(payload, 'base64').toString()), privateKey).toString('base64')
  await alice.publisherKeys.sign({ id, version: '1.0.0', key_id: key.id, signature })
  await alice.publisherKeys.draft({ kind: 'mcp-server', id, sha256: '0'.repeat(64), size: 1 })
  await alice.publisherKeys.revoke({ id: key.id })
  const run = { repository: 'mira/digest', workflow: 'publish.yml', ref: 'main' }
  const publisher = await alice.trustedPublishers.add({ item: id, ...run })
  await alice.trustedPublishers.remove({ id: publisher.id })
  await alice.trustedPublishers.setStaging({ id, only: true })
  await alice.trustedPublishers.setStaging({ id, only: false })
  await app.sequenceLog()
  const { checkpoint } = await anonymous.transparency.proof({ id, version: '1.0.0' })
  const line = cosign(parseNote(checkpoint)?.text ?? '', WITNESS, 1_700_000_000)
  await anonymous.transparency.cosign({ size: 1, line: line.trim() })
}

async function webhooks({ alice, admin }: World): Promise<void> {
  await alice.account()
  await admin.account()
  const { id: itemId } = await publish(alice)
  for (const [hooks, given] of [
    [admin.webhooks, {}],
    [alice.itemWebhooks, { itemId }],
  ] as const) {
    const { id } = await (hooks.create as typeof alice.itemWebhooks.create)({ url: HOOK, ...given } as never)
    await hooks.update({ id, description: 'Ours' })
    await hooks.rotateSecret({ id })
    const delivery = await hooks.test({ id })
    await hooks.redeliver({ id, deliveryId: delivery.id })
    await hooks.delete({ id })
  }
}

/** A helper of an app, and its end. */
async function endHelper(world: World): Promise<void> {
  const { alice } = world
  const client = oauthClient(world)
  const { access_token } = await client.signIn(alice, { clientId: AGENT, scope: 'community:read' })
  const subject = { subject_token: access_token, subject_token_type: 'urn:ietf:params:oauth:token-type:access_token' }
  await client.token({ grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange', client_id: AGENT, ...subject })
  const app = (await alice.signIns.list({})).items.find(({ handedOn }) => handedOn.length > 0)
  await alice.signIns.endHelper({ id: app?.id ?? '', helperId: app?.handedOn[0]?.id ?? '' })
}

async function credentials(world: World): Promise<void> {
  const { admin, alice, anonymous, code, mails } = world
  const client = oauthClient(world)
  await alice.account()
  await prove(world, alice)
  const device = new Authenticator()
  const { id } = await register(alice, device)
  await alice.passkeys.rename({ id, name: 'Key' })
  await alice.reauthentication.beginPasskey({})
  await alice.reauthentication.sendCode({})
  await anonymous.passkeys.beginSignIn({})
  await alice.passkeys.remove({ id })
  await anonymous.accounts.sendCode({ email: alice.email })
  await anonymous.accounts.forgotPassword({ email: alice.email })
  await client.signIn(alice, { clientId: await client.register(), scope: 'openid community:read offline_access' })
  const personal = await alice.personalTokens.create({ name: 'A script', scopes: ['library:read'] })
  await alice.personalTokens.revoke({ id: personal.id })
  await admin.settings.change({ changes: { WORKLOAD_ISSUERS: 'https://ci.example' } })
  const bound = { issuer: 'https://ci.example', subject: 'nightly', scopes: ['community:read' as const] }
  const workload = await alice.workloads.create({ name: 'A program', ...bound })
  await alice.workloads.remove({ id: workload.id })
  await alice.feeds.renew({})
  await alice.feeds.end({})
  const user = { service: 'slack', workspace: 'T1', user: 'U1', name: 'mira' } as const
  const asked = await newLinkCode(world.dependencies, user, timestamp(world.clock.now()))
  const link = await alice.chatLinks.confirm({ code: asked })
  await alice.chatLinks.remove({ id: link.id })
  const browser = await alice.push.subscribe(new PushBrowser().at({ origin: 'https://push.example' }))
  await alice.push.unsubscribe({ id: browser.id })
  await guests(world)
  const identity = {
    id: newId(),
    issuer: 'https://sso.example',
    subject: 'alice',
    email: null,
    createdAt: NOW,
    lastUsedAt: NOW,
  }
  const told = { sourceId: '7', username: null, toldAt: NOW }
  await world.db
    .insertInto('externalIdentity')
    .values({ ...identity, ...told, userId: (await alice.account()).id })
    .execute()
  await takeOverImported(world)
  await alice.external.remove({ id: identity.id })
  const [grant] = (await alice.signIns.list({})).items
  await alice.signIns.update({ id: grant?.id ?? '', bounds: { writes: 5 } })
  await decidePending(world, grant?.id ?? '')
  await endHelper(world)
  await alice.signIns.end({ id: grant?.id ?? '' })
  await alice.signIns.endAll({})
  await anonymous.claims.claim({ email: alice.email, client_id: AGENT, scope: 'community:read' })
  await anonymous.accounts.signIn({ email: alice.email, password: 'alice has a password' })
  const sessions = (await alice.sessions.list({})).items
  await alice.sessions.end({ id: sessions.find(({ current }) => !current)?.id ?? '' })
  await alice.sessions.endOthers({})
  const prepared = await alice.dataExports.request({})
  await alice.dataExports.cancel({ id: prepared.id })
  await alice.address.sendCode({ email: 'mira@example.com' })
  await alice.address.change({ email: 'mira@example.com', code: await code('mira@example.com') })
  const token = (await mails(alice.email)).at(-1)?.body.match(/token=(\S+)/)?.[1] ?? ''
  await anonymous.address.undo({ token })
}

/** Writes of an agent, which wait for the account to decide. */
async function decidePending(world: World, grantId: string): Promise<void> {
  const { alice } = world
  await alice.pendingActs.approve({ id: await insertWaiting(world, alice, grantId) })
  await alice.pendingActs.refuse({ id: await insertWaiting(world, alice, grantId), reason: 'No' })
  await alice.pendingActs.withdraw({ id: await insertWaiting(world, alice, grantId) })
}

/** The set-up, before there is an account. */
async function settingUp({ anonymous, dependencies }: World): Promise<void> {
  const token = new URL((await renewSetupLink(dependencies)) ?? '').searchParams.get('token') ?? ''
  await anonymous.setup.check({ token })
  await anonymous.setup.sendCode({ token, email: 'boss@example.com' })
}

async function leaving({ alice, bob }: World): Promise<void> {
  await alice.account()
  await alice.deletion.request({ content: 'anonymise' })
  await alice.accounts.signIn({ email: alice.email, password: 'alice has a password' })
  await alice.deletion.cancel({})
  await bob.account()
  await bob.accounts.signOut({})
}

export const flows: Record<string, (world: World) => Promise<void>> = {
  topics,
  'what the machine is asked': asked,
  'what is merged': mergedAndUndone,
  news,
  people,
  moderation,
  gallery,
  items,
  owners,
  teams,
  statements,
  webhooks,
  credentials,
  'the set-up': settingUp,
  leaving,
}

/** What was imported of Alice, whom the provider knows. */
async function takeOverImported({ admin, alice, app }: World): Promise<void> {
  const provider = { OIDC_ISSUER: 'https://sso.example', OIDC_CLIENT_ID: 'guildhall', OIDC_IMPORTS: 'guildhall' }
  await admin.settings.change({ changes: provider })
  const records = [
    { type: 'person', id: '7', accountId: '7', username: 'weaver' },
    { type: 'thing', id: '1', kind: 'bug', author: '7', title: 'T', text: 'D', createdAt: NOW },
  ]
  const file = new File([records.map((one) => JSON.stringify(one)).join('\n')], 'a.jsonl')
  const { id } = await admin.imports.read({ source: 'guildhall', name: 'people', files: [file] })
  await admin.imports.start({ id })
  await app.imports()
  const [offer] = (await alice.importClaims.list()).items
  await alice.importClaims.takeOver({ id: offer?.id ?? '' })
}
