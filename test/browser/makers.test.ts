// What people who make things do here, in a browser, with script and without: joining, publishing, connecting an agent, running
// the place.
import assert from 'node:assert/strict'
import { createHash, randomBytes } from 'node:crypto'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { automationFile } from '../library.ts'
import { serve } from '../mcp/serve.ts'
import { skip } from './chromium.ts'
import { PASSWORD, type Site, visit, withSite } from './site.ts'

const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/${name}`, import.meta.url))

async function packed(changes: object) {
  const file = automationFile(changes)
  return { name: file.name, mimeType: 'application/zip', buffer: Buffer.from(await file.arrayBuffer()) }
}

type Journey = (site: Site, scripted: boolean) => Promise<void>

const journeys: Record<string, Journey> = {
  async 'sign up, choose a name, and write a first post'(site, scripted) {
    const { page, open, checkComplaints } = await visit(site, { scripted })
    await open('/')
    await page.getByRole('link', { name: 'Join' }).click()
    await page.getByLabel('Name', { exact: true }).fill('Mara Lind')
    await page.getByLabel('Email address').fill('mara@example.com')
    await page.getByLabel('Password').fill(PASSWORD)
    await page.getByRole('button', { name: 'Sign up' }).click()
    await page.waitForURL('**/verify-email**')
    await page.getByRole('link', { name: 'Skip for now' }).click()
    await page.waitForURL('**/onboarding**')
    await page.getByLabel('Username').fill('mara')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Your menu, mara' }).waitFor()
    await page.getByRole('link', { name: 'Write a post' }).first().click()
    await page.getByLabel('Title').fill('Wie wir Rechnungen prüfen')
    await page.getByLabel('Text').fill('Drei Rollen, **ein** Ablauf.')
    await page.getByRole('button', { name: 'Publish' }).click()
    await page.getByRole('heading', { level: 1, name: 'Wie wir Rechnungen prüfen' }).waitFor()
    const { items } = await site.world.anonymous.feed.list()
    assert.deepEqual(
      items.map(({ title, authorUsername }) => [title, authorUsername]),
      [['Wie wir Rechnungen prüfen', 'mara']],
    )
    checkComplaints()
  },

  async 'publish a workflow, an org and an automation, and a new version'(site, scripted) {
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    for (const [kind, file, heading] of [
      ['workflow', fixture('workflow-morning-digest.json'), 'Morning digest'],
      ['org', fixture('org-invoice-desk.json'), 'invoice-desk'],
      ['automation', await packed({ version: '1.0.0' }), undefined],
    ] as const) {
      await open('/library/upload')
      await page.getByLabel('File', { exact: true }).setInputFiles(file)
      if (!scripted) await page.getByLabel('Kind').selectOption(kind)
      else
        await page.waitForFunction(
          ([wanted]) => document.querySelector<HTMLSelectElement>('[name=kind]')?.value === wanted,
          [kind],
        )
      await page.getByLabel('Visibility').selectOption('public')
      await page.getByRole('button', { name: 'Publish' }).click()
      await page.waitForURL(`**/library/${kind}s/*`)
      if (heading) await page.getByRole('heading', { level: 1, name: heading }).waitFor()
    }
    const path = new URL(page.url()).pathname
    await open(`${path}/edit`)
    await page.getByLabel('File', { exact: true }).setInputFiles(await packed({ version: '0.9.0' }))
    await page.getByRole('button', { name: 'Publish this version' }).click()
    await page.getByText('The version must be higher than the latest').waitFor()
    await page.getByLabel('File', { exact: true }).setInputFiles(await packed({ version: '1.1.0' }))
    await page.getByRole('button', { name: 'Publish this version' }).click()
    await page.waitForURL(`**${path}`)
    await page.getByText('Version 1.1.0', { exact: true }).waitFor()
    const { items } = await site.world.anonymous.library.list()
    assert.deepEqual(items.map(({ kind }) => kind).sort(), ['automation', 'org', 'workflow'])
    // A refused upload is a failed request, and a browser writes that down; it is shown beside the field.
    if (!scripted) checkComplaints()
  },

  async 'connect an agent, see it in the settings, and end it'(site, scripted) {
    const { origin, world } = site
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
    const agent = await serve({ ...world.app, fetch: () => new Response('You may close this page.') })
    const redirect = `${agent.url.replace('127.0.0.1', 'localhost')}/callback`
    try {
      const registered = await fetch(`${origin}/api/auth/oauth2/register`, {
        method: 'POST',
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ client_name: 'Night shift', redirect_uris: [redirect] }),
      })
      const { client_id } = (await registered.json()) as { client_id: string }
      const verifier = randomBytes(32).toString('base64url')
      const asked = new URLSearchParams({
        client_id,
        redirect_uri: redirect,
        response_type: 'code',
        scope: 'community:read community:write offline_access',
        state: 'tonight',
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
      })
      await open(`/api/auth/oauth2/authorize?${asked}`)
      await page.getByRole('heading', { name: 'Night shift wants to use your account' }).waitFor()
      await page.getByText('mara@example.com').waitFor()
      await page.getByRole('button', { name: 'Allow' }).click()
      await page.waitForURL(`${redirect}?**`)
      const { searchParams } = new URL(page.url())
      assert.equal(searchParams.get('state'), 'tonight')
      const exchanged = await fetch(`${origin}/api/auth/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id,
          code: searchParams.get('code')!,
          code_verifier: verifier,
          redirect_uri: redirect,
        }),
      })
      const { access_token } = (await exchanged.json()) as { access_token: string }
      const me = () => fetch(`${origin}/api/community/me`, { headers: { Authorization: `Bearer ${access_token}` } })
      assert.equal((await me()).status, 200)
      await open('/settings/apps')
      await page.getByText('Night shift').first().waitFor()
      await page.getByText('Revoke', { exact: true }).first().click()
      await page
        .getByRole('button', { name: /^Revoke/ })
        .last()
        .click()
      for (let tries = 0; tries < 50 && (await me()).status !== 401; tries++) await page.waitForTimeout(100)
      assert.equal((await me()).status, 401)
      checkComplaints()
    } finally {
      await agent.close()
    }
  },

  async 'run the place: make a moderator, block somebody, make a label, and read what was done'(site, scripted) {
    const { world } = site
    await world.bob.profile.setUsername({ username: 'bob' })
    await world.alice.profile.setUsername({ username: 'alice' })
    const { page, open, checkComplaints } = await visit(site, { scripted, name: 'root', role: 'admin' })
    await open('/admin/users?q=bob')
    await page.locator('summary', { hasText: 'Change' }).first().click()
    await page.getByLabel('Role', { exact: true }).last().selectOption('moderator')
    await page.getByRole('button', { name: 'Set role of bob' }).click()
    await page.locator('.badge', { hasText: 'Moderator' }).first().waitFor()
    assert.equal((await world.bob.accounts.getSession())!.user.role, 'moderator')
    await open('/admin/users?q=alice')
    await page.locator('summary', { hasText: 'Change' }).first().click()
    const block = page.getByRole('button', { name: 'Block alice' })
    await page.locator('form', { has: block }).getByLabel('Reason').fill('Sells links')
    await block.click()
    await page.locator('.badge', { hasText: 'Blocked' }).first().waitFor()
    assert.equal(await world.alice.accounts.getSession(), null)
    await open('/admin/labels')
    await page.getByLabel('Name').fill('uploads')
    await page.getByRole('button', { name: 'Create label' }).click()
    await page.getByRole('heading', { name: '1 label' }).waitFor()
    await open('/admin/audit')
    await page.getByText('Sells links').waitFor()
    await open('/admin')
    await page.locator('li', { hasText: 'Accounts3' }).waitFor()
    checkComplaints()
  },
}

for (const scripted of [true, false]) {
  describe(`makers, ${scripted ? 'with' : 'without'} script,`, { skip }, () => {
    for (const [sentence, journey] of Object.entries(journeys)) {
      it(sentence, () => withSite((site) => journey(site, scripted)))
    }
  })
}
