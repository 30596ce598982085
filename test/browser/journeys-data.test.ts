// What members do with their own data, in a browser, with script and without.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { strFromU8, unzipSync } from 'fflate'
import type { Page } from 'playwright-core'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, visit, withSite } from './site.ts'

const DAY = 86_400

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
}

async function exportData(site: Site, scripted: boolean): Promise<void> {
  const { world } = site
  const { page, open, account, checkComplaints } = await visit(site, { scripted, name: 'mara' })
  await open('/settings')
  await page.getByRole('link', { name: 'Export your data' }).click()
  await page.getByRole('button', { name: 'Request an export' }).click()
  await page.getByText('Your export is being prepared').waitFor()
  await page.getByText('Being prepared', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Cancel the export' }).click()
  await page.getByText('The export is cancelled').waitFor()
  assert.equal(await page.getByText('Being prepared', { exact: true }).count(), 0)
  await page.getByRole('button', { name: 'Request an export' }).click()
  await page.getByText('Being prepared', { exact: true }).waitFor()
  await world.app.work()
  const mail = (await world.mails(account!.email)).at(-1)
  assert.match(mail!.subject, /ready to download/)
  world.clock.pass(700)
  await open('/settings/data')
  assert.equal(await page.getByRole('link', { name: 'Download the export' }).count(), 0)
  await page.getByLabel('Your password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Confirm', exact: true }).click()
  const link = page.getByRole('link', { name: 'Download the export' })
  await link.waitFor()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
  assert.match(download.suggestedFilename(), /^guildhall-.+\.zip$/)
  const files = unzipSync(new Uint8Array(await readFile(await download.path())))
  assert.equal(JSON.parse(strFromU8(files['account.json']!))[0].username, 'mara')
  checkComplaints()
}

async function deleteAccount(site: Site, scripted: boolean): Promise<void> {
  const { world } = site
  const { page, context, open, account, checkComplaints } = await visit(site, { scripted, name: 'mara' })
  const data = { title: 'A post of Mara', body: 'Text' }
  const posted = await context.request.post('/api/community/posts', { data })
  const { id } = (await posted.json()) as { id: string }
  const { email } = account!
  const leave = async () => {
    await open('/settings/data')
    await page.locator('summary', { hasText: 'Delete account' }).click()
    await page.getByLabel('What you wrote').selectOption('anonymise')
    await page.getByRole('button', { name: 'Delete my account' }).click()
    await page.getByText('Your account will be deleted in 14 days').waitFor()
  }
  await leave()
  assert.match((await world.mails(email)).at(-1)!.subject, /will be deleted/)
  await signIn(page, email)
  await page.getByRole('heading', { name: 'Your account will be deleted' }).waitFor()
  await open('/community')
  await page.getByRole('button', { name: 'Keep my account' }).click()
  await page.getByText('Your account stays').waitFor()
  await leave()
  world.clock.pass(14 * DAY + 1)
  await world.app.work()
  await open('/sign-in')
  await signIn(page, email)
  await page.getByText('Wrong email address or password').waitFor()
  await open(`/community/posts/${id}`)
  await page.getByText('deleted user').first().waitFor()
  assert.match((await world.mails(email)).at(-1)!.subject, /was deleted/)
  checkComplaints()
}

async function deleteAsAdmin(site: Site, scripted: boolean): Promise<void> {
  const other = await site.world.alice.account()
  const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara', role: 'admin' })
  await open('/admin/users')
  await page.locator('summary', { hasText: other.email }).click()
  await page.locator(`#delete-reason-${other.id}`).fill('Spam')
  await page.getByRole('button', { name: `Delete account ${other.email}` }).click()
  await page.getByText('is signed out everywhere and will be erased').waitFor()
  await page.locator('summary', { hasText: other.email }).click()
  await page.getByRole('button', { name: `Keep account ${other.email}` }).click()
  await page.getByText(`${other.email} stays.`).waitFor()
  checkComplaints()
}

async function changeAddress(site: Site, scripted: boolean): Promise<void> {
  const { world } = site
  const { page, open, account, checkComplaints } = await visit(site, { scripted, name: 'mara' })
  const old = account!.email
  await open('/settings/security')
  await page.getByRole('button', { name: 'Verify email' }).click()
  await page
    .getByLabel(/code/i)
    .first()
    .fill(await world.code(old))
  await page.getByRole('button', { name: 'Verify email' }).click()
  await page.getByText('is verified').waitFor()
  await open('/settings/security')
  await page.getByLabel('New email address').fill('mara.new@example.com')
  await page.getByRole('button', { name: 'Email me a code' }).click()
  const change = page.getByRole('button', { name: 'Change address' })
  await change.waitFor()
  await page.getByLabel(/code/i).first().fill('000000')
  await change.click()
  await page.getByText('Is wrong or no longer good').waitFor()
  await page
    .getByLabel(/code/i)
    .first()
    .fill(await world.code('mara.new@example.com'))
  await change.click()
  await page.getByText('Your address is now mara.new@example.com').waitFor()
  assert.match((await world.mails('mara.new@example.com')).at(-1)!.body, new RegExp(`was ${old}`))
  const { body } = (await world.mails(old)).at(-1)!
  await open(new URL(/http\S+email-undo\S+/.exec(body)![0]).href)
  await page.getByRole('button', { name: 'Restore my address' }).click()
  await page.getByText('Your address is restored').waitFor()
  assert.match((await world.mails(old)).at(-1)!.subject, /was undone/)
  checkComplaints()
}

for (const scripted of [true, false]) {
  describe(`members, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    it('export their data, and open it', () => withSite((site) => exportData(site, scripted)))
    it('change their address, and undo it', () => withSite((site) => changeAddress(site, scripted)))
    it('delete their account, keep it, and delete it for good', () => withSite((site) => deleteAccount(site, scripted)))
    it('delete another account as admin, and keep it', () => withSite((site) => deleteAsAdmin(site, scripted)))
  })
}
