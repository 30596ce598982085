// Two people, an agent and a moderator, with script and without: a post is reported, hidden with a reason, appealed and shown again; and
// what is hidden is there for its author and moderators alone.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { orgFile, workflowFile } from '../library.ts'
import { callTool, tokenOf } from '../mcp/caller.ts'
import { skip } from './chromium.ts'
import { type Site, type Visitor, visit, withSite } from './site.ts'

const REASON = 'Advertising, and nothing about workflows'
const APPEAL = 'They tell the time of every workflow'
const ORG = { name: 'Watch desk', goal: 'Sells watches.', roles: [{ id: 'seller' }] }
const HIDDEN = 'A moderator hid this. Only its author and moderators see it.'

async function file({ page, open }: Visitor): Promise<string> {
  await open('/community/posts/new')
  await page.getByLabel('Title').fill('Cheap watches')
  await page.locator('textarea').first().fill('From 9.90')
  await page.locator('main form button.accent').first().click()
  await page.waitForURL(/\/community\/posts\/(?:[0-9a-f-]{36}|\d+-[a-z-]+)$/)
  return new URL(page.url()).pathname
}

async function report({ page, open }: Visitor, here: string): Promise<void> {
  await open(here)
  await page.getByRole('link', { name: 'Report', exact: true }).click()
  await page.getByLabel("What's wrong?").selectOption({ label: 'Spam or advertising' })
  await page.getByLabel('Details (optional)').fill('In five places')
  await page.getByRole('button', { name: 'Report' }).click()
  await page.getByText('Thank you. A moderator will review it.').waitFor()
  await page.getByRole('link', { name: 'Back', exact: true }).click()
  await page.waitForURL(`**${here}`)
}

/** The agent of Alice reports the same, with its own token. */
async function reportAsAgent({ world }: Site, targetId: string): Promise<void> {
  await world.alice.profile.setUsername({ username: 'alices-agent' })
  const token = await tokenOf(world, world.alice)
  const input = { targetType: 'post', targetId, reason: 'off_topic' }
  const result = await callTool(world.app, 'call_operation', { name: 'reports.create', input }, { token })
  assert.ok(!result.isError, JSON.stringify(result.content))
}

/** Opens the case from the queue and hides the thing; the reason is asked for, and what was chosen stays. */
async function hide({ page, open }: Visitor): Promise<string> {
  await open('/admin/cases')
  await page.getByText('2 reports').waitFor()
  await page.getByRole('link', { name: 'Cheap watches' }).click()
  await page.getByText('From 9.90').waitFor()
  await page.getByText('In five places').waitFor()
  await page.getByRole('link', { name: 'alices-agent' }).waitFor()
  await page.getByLabel('Decision').selectOption({ label: 'Hide it' })
  await page.getByRole('button', { name: 'Decide' }).click()
  await page.getByText('Must be given for the author').waitFor()
  assert.equal(await page.getByLabel('Decision').inputValue(), 'hide')
  await page.getByLabel('Reason, for the author').fill(REASON)
  await page.getByRole('button', { name: 'Decide' }).click()
  await page.getByRole('heading', { name: 'What was done' }).waitFor()
  await page.getByText(HIDDEN).waitFor()
  return page.url()
}

/** The author is told in the inbox, reads the notice and appeals. */
async function appeal({ page, open }: Visitor): Promise<string> {
  await open('/notifications')
  await page.locator('a[data-unread="1"]').waitFor()
  const told = page.locator('#inbox li')
  await told.getByText('The moderators decided').waitFor()
  await told.getByText(REASON).waitFor()
  await told.getByRole('button', { name: 'Cheap watches', exact: true }).click()
  await page.waitForURL(/\/moderation\/notices\/[0-9a-f-]{36}$/)
  assert.equal(await page.locator('a[data-unread="1"]').count(), 0, 'the notice is read')
  await page.getByText(REASON).waitFor()
  await page.getByLabel('Why it is wrong').fill(APPEAL)
  await page.getByRole('button', { name: 'Appeal' }).click()
  await page.getByText('A moderator decides it.').waitFor()
  assert.equal(await page.getByRole('button', { name: 'Appeal' }).count(), 0, 'one appeal a notice')
  return page.url()
}

/** The moderator finds the case in the queue again, and grants the appeal. */
async function grant({ page, open }: Visitor): Promise<void> {
  await open('/admin/cases')
  await page.getByText('1 appeal', { exact: true }).waitFor()
  await page.getByRole('link', { name: 'Cheap watches' }).click()
  await page.getByText(APPEAL).waitFor()
  await page.getByLabel('Decision of the appeal').selectOption({ label: 'Grant it and undo' })
  await page.getByLabel('Reason of the decision').fill('It is about workflows')
  await page.getByRole('button', { name: 'Decide the appeal' }).click()
  await page.getByText('Granted: It is about workflows').waitFor()
  assert.equal(await page.getByText(HIDDEN).count(), 0)
  await open('/admin/cases')
  await page.getByText('Nothing is waiting').waitFor()
}

/** What the page answers to a visitor, and whether it says that it is hidden. */
async function seen({ page }: Visitor, path: string): Promise<[number | undefined, number]> {
  const response = await page.goto(path)
  return [response?.status(), await page.getByText(HIDDEN).count()]
}

async function logNamesNoPerson({ page, open }: Visitor, people: readonly string[]): Promise<void> {
  await open('/moderation')
  const log = page.locator('main')
  await log.getByText('Hidden: post').waitFor()
  await log.getByText('appeal granted').waitFor()
  const text = (await log.textContent()) ?? ''
  for (const told of [...people, 'Cheap watches', REASON, APPEAL]) assert.ok(!text.includes(told), told)
  assert.equal(await log.locator('a[href^="/community"]').count(), 0)
}

async function journey(site: Site, scripted: boolean): Promise<void> {
  const author = await visit(site, { scripted, name: 'mara' })
  const reader = await visit(site, { scripted, name: 'olaf' })
  const moderator = await visit(site, { scripted, name: 'vera', role: 'moderator' })
  const anonymous = await visit(site, { scripted })
  const here = await file(author)
  assert.equal(await author.page.getByRole('link', { name: 'Report', exact: true }).count(), 0)
  await report(reader, here)
  const number = Number.parseInt(here.split('/').at(-1) ?? '', 10)
  const { id } = await site.world.anonymous.references.get({ number })
  await reportAsAgent(site, id)
  assert.equal((await reader.page.goto('/admin/cases'))?.status(), 403)
  await hide(moderator)
  await site.world.app.deliver()

  for (const other of [reader, anonymous]) assert.deepEqual(await seen(other, here), [404, 0])
  const byId = `/community/posts/${id}`
  for (const one of [author, moderator]) assert.deepEqual(await seen(one, byId), [200, 1])
  await anonymous.open('/community/posts')
  assert.equal(await anonymous.page.getByText('Cheap watches').count(), 0)
  const notice = await appeal(author)
  assert.deepEqual(await seen(reader, notice), [404, 0])
  await grant(moderator)
  await site.world.app.deliver()

  for (const one of [author, reader, moderator, anonymous]) assert.deepEqual(await seen(one, here), [200, 0])
  await author.open(notice)
  await author.page.getByText('It was granted. It is about workflows').waitFor()
  await logNamesNoPerson(anonymous, ['mara', 'olaf', 'vera', 'alices-agent'])
  for (const { checkComplaints } of [author, reader, moderator, anonymous]) checkComplaints()
}

/** An org of the gallery, a workflow, an org of the library alone and a post that took another in, each hidden: their paths. */
async function hideEach({ world: { alice, bob, moderator } }: Site): Promise<string[]> {
  const visibility = 'public'
  const gallery = await bob.orgs.create({ orgJson: JSON.stringify(ORG) })
  const workflow = await bob.library.publish({ kind: 'workflow', visibility, file: workflowFile() })
  const org = await bob.library.publish({ kind: 'org', visibility, file: orgFile() })
  const post = await bob.posts.create({ title: 'Cheap watches', body: 'From 9.90' })
  const same = await bob.posts.create({ title: 'Watches', body: 'From 9.80' })
  await moderator.posts.merge({ id: same.id, into: post.id })
  await alice.orgs.comment({ id: gallery.id, body: 'So do I' })
  await alice.library.comment({ id: workflow.id, body: 'So do I' })
  for (const [targetType, { id: targetId }] of [
    ['org', gallery],
    ['item', workflow],
    ['item', org],
    ['post', post],
  ] as const) {
    await alice.reports.create({ targetType, targetId, reason: 'spam' })
    const [waiting] = (await moderator.moderation.cases({})).items
    assert.equal(waiting?.target.id, targetId)
    await moderator.moderation.decide({ id: waiting.id, action: 'hide', rule: 'spam', reason: REASON })
  }
  return [
    `/community/orgs/${gallery.slug}`,
    ...[workflow, org].map(({ url }) => new URL(url).pathname),
    `/library/orgs/${gallery.slug}`,
    `/community/posts/${post.id}`,
  ]
}

async function hiddenPages(site: Site, scripted: boolean): Promise<void> {
  const paths = await hideEach(site)
  const author = await visit(site, { scripted })
  const data = { email: site.world.bob.email, password: 'bob has a password' }
  assert.equal((await author.context.request.post('/api/auth/sign-in/email', { data })).status(), 200)
  const moderator = await visit(site, { scripted, name: 'vera', role: 'moderator' })
  const others = [await visit(site, { scripted, name: 'olaf' }), await visit(site, { scripted })]
  for (const path of paths) {
    for (const one of [author, moderator]) assert.deepEqual(await seen(one, path), [200, 1], path)
    for (const other of others) assert.deepEqual(await seen(other, path), [404, 0], path)
  }
  for (const { checkComplaints } of [author, moderator, ...others]) checkComplaints()
}

describe('a moderator, two people and an agent', { skip }, () => {
  for (const scripted of [true, false]) {
    const how = scripted ? 'with' : 'without'
    it(`${how} script report, hide, read why, appeal and show again`, () => withSite((site) => journey(site, scripted)))
    it(`${how} script see hidden orgs, items and posts, and others do not`, () =>
      withSite((site) => hiddenPages(site, scripted)))
  }
})
