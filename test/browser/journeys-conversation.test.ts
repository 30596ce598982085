// A conversation of two people and an agent, from a bug to its answer: filed and followed in a browser, answered by MCP, told live and by a
// digest that one click ends, edited with a history and without overwriting others, and found again. With script and without.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callTool, tokenOf } from '../mcp/caller.ts'
import { skip } from './chromium.ts'
import { type Site, type Visitor, visit, withSite } from './site.ts'

const ANSWER = 'Set the timezone of the workflow to yours'

async function file({ page, open }: Visitor, { world }: Site): Promise<string> {
  await open('/community/bugs/new')
  await page.getByLabel('Title').fill('The digest comes an hour late')
  await page.getByLabel('Description').fill('Since the clock changed')
  await page.getByRole('button', { name: 'Report' }).click()
  await page.waitForURL(/\/community\/bugs\/\d+-[a-z0-9-]+$/)
  const number = Number.parseInt(page.url().split('/').at(-1) ?? '', 10)
  return (await world.alice.references.get({ number })).id
}

/** The agent of Alice answers with its own token, as agents do. */
async function answer({ world }: Site, id: string): Promise<void> {
  await world.alice.profile.setUsername({ username: 'alices-agent' })
  const token = await tokenOf(world, world.alice)
  const result = await callTool(world.app, 'comment_bug', { id, body: ANSWER }, { token })
  assert.ok(!result.isError, JSON.stringify(result.content))
  await world.app.deliver()
}

/** The count in the head: by itself with script, after a reload without. */
async function seesOneUnread({ page }: Visitor, scripted: boolean): Promise<void> {
  if (!scripted) await page.reload()
  await page.locator('a[data-unread="1"]').waitFor()
}

async function getsDigest({ world }: Site, { page, open, account }: Visitor): Promise<void> {
  await open('/settings/notifications')
  await page.locator('select[name="comment"]').selectOption('daily')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Saved.').waitFor()
  const email = account?.email ?? ''
  const emailVerifiedAt = new Date(world.clock.now()).toISOString()
  await world.db.updateTable('user').set({ emailVerifiedAt }).where('email', '=', email).execute()
}

async function endsDigest({ world }: Site, { page, open, account }: Visitor): Promise<void> {
  world.clock.pass(86_400)
  await world.app.deliver()
  const digest = (await world.mails(account?.email ?? '')).find(({ subject }) => /digest/i.test(subject))
  assert.ok(digest?.unsubscribeUrl && digest.body.includes(ANSWER))
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
  const body = 'List-Unsubscribe=One-Click'
  // As a mail program does it, without a session.
  const response = await fetch(digest.unsubscribeUrl, { method: 'POST', headers, body })
  assert.ok(response.ok, `${response.status}`)
  await open('/settings/notifications')
  assert.equal(await page.locator('select[name="comment"]').inputValue(), 'site')
}

/** Mara edits while a moderator has edited the same: she is warned, sees both, and saves again. */
async function edits({ world }: Site, { page, open }: Visitor, id: string): Promise<void> {
  await open(`/community/bugs/${id}/edit`)
  await page.getByLabel('Title').fill('The digest comes an hour late in winter')
  await world.moderator.bugs.edit({ id, title: 'Digest an hour late' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('This text was edited since').waitFor()
  await page.getByRole('region', { name: 'Title, as it is now' }).getByText('Digest an hour late').waitFor()
  assert.equal(await page.getByLabel('Title', { exact: true }).inputValue(), 'The digest comes an hour late in winter')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL('**/community/bugs/*-in-winter')
  await open(`/community/bugs/${id}/history`)
  assert.equal(await page.locator('ol.entries > li').count(), 2)
  await page.locator('ins', { hasText: 'winter' }).first().waitFor()
}

for (const scripted of [true, false]) {
  describe(`two people and an agent, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('file, follow, answer, are told, get a digest and end it, edit, and find the answer', () =>
      withSite(async (site) => {
        const mara = await visit(site, { scripted, name: 'mara' })
        const olaf = await visit(site, { scripted, name: 'olaf' })
        const id = await file(mara, site)
        await olaf.open(`/community/bugs/${id}`)
        await olaf.page.getByRole('button', { name: 'Follow', exact: true }).click()
        await olaf.page.getByRole('button', { name: 'Unfollow' }).waitFor()
        await getsDigest(site, olaf)
        await answer(site, id)
        await Promise.all([seesOneUnread(mara, scripted), seesOneUnread(olaf, scripted)])
        await mara.open('/notifications')
        await mara.page.getByText(ANSWER).waitFor()
        await endsDigest(site, olaf)
        await edits(site, mara, id)
        await olaf.open('/search?q=workflows+timezones')
        await olaf.page
          .getByRole('link', { name: /The digest comes an hour late in winter/ })
          .first()
          .click()
        await olaf.page.getByText(ANSWER).waitFor()
        for (const { checkComplaints } of [mara, olaf]) checkComplaints()
      }))
  })
}
