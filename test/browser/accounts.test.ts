// Ways into an account, in a browser: what one sees afterwards is the whole page, and a passkey needs nothing but the device.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { oauthClient } from '../oauth.ts'
import { FIREFOX, newBrowser, SAFARI } from '../visitors.ts'
import { skip } from './chromium.ts'
import { PASSWORD, visit, withSite } from './site.ts'

/** A device that has a lock, and opens it whenever it is asked. */
const DEVICE = {
  protocol: 'ctap2',
  transport: 'internal',
  hasResidentKey: true,
  hasUserVerification: true,
  isUserVerified: true,
  automaticPresenceSimulation: true,
} as const

describe('accounts in a browser', { skip }, () => {
  for (const scripted of [true, false]) {
    it(`are come into ${scripted ? 'with' : 'without'} script, and the page one was going to has all it has`, () =>
      withSite(async (site) => {
        await site.world.alice.bugs.create({ title: 'A bug', description: 'Text', severity: 'low' })
        const { page, context, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
        await context.clearCookies()
        await open('/sign-in?to=%2Fcommunity%2Fbugs')
        await page.getByLabel('Email address').fill('mara@example.com')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.waitForURL('**/community/bugs')
        await page.getByRole('link', { name: 'A bug', exact: true }).waitFor()
        await open('/settings/security')
        await page.getByRole('link', { name: 'Bugs', exact: true }).click()
        await page.getByRole('link', { name: 'A bug', exact: true }).waitFor()
        checkComplaints()
      }))

    it(`have a code mailed ${scripted ? 'with' : 'without'} script, and type it where the page puts them`, () =>
      withSite(async (site) => {
        const { page, open, checkComplaints } = await visit(site, { scripted })
        await open('/sign-in?to=%2Fcommunity')
        await page.getByLabel('Email address').fill('nora@example.com')
        await page.getByRole('button', { name: 'Email me a code instead' }).click()
        await page.getByLabel('Code').waitFor()
        await page.locator('#field-code:focus').waitFor()
        await page.keyboard.type(await site.world.code('nora@example.com'))
        await page.keyboard.press('Enter')
        await page.waitForURL('**/onboarding?to=%2Fcommunity')
        await page.getByLabel('Username').fill('nora')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.getByRole('heading', { level: 1, name: 'Welcome, nora' }).waitFor()
        await page.getByRole('link', { name: 'Done' }).click()
        await page.waitForURL('**/community')
        checkComplaints()
      }))
  }

  for (const scripted of [true, false]) {
    it(`verify their email right after they signed up ${scripted ? 'with' : 'without'} script`, () =>
      withSite(async (site) => {
        const { page, open, checkComplaints } = await visit(site, { scripted })
        await open('/sign-up?to=%2Fcommunity')
        await page.getByLabel('Name').fill('Nora')
        await page.getByLabel('Email address').fill('nora@example.com')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign up' }).click()
        await page.waitForURL('**/verify-email?to=%2Fcommunity')
        await page.locator('#field-code:focus').waitFor()
        await page.keyboard.type(await site.world.code('nora@example.com'))
        await page.keyboard.press('Enter')
        await page.waitForURL('**/onboarding?to=%2Fcommunity')
        await open('/settings/security')
        await page.locator('#email').getByText('Verified.').waitFor()
        checkComplaints()
      }))

    it(`compute a proof of work ${scripted ? 'with' : 'or are told of the code without'} script`, () =>
      withSite(async (site) => {
        const { page, open, checkComplaints } = await visit(site, { scripted })
        await site.world.alice.account()
        await site.world.admin.settings.change({ changes: { PROOF_OF_WORK: 'new', PROOF_NUMBERS: '2000' } })
        await open('/sign-up?to=%2Fcommunity%2Fposts%2Fnew')
        await page.getByLabel('Name').fill('Nora')
        await page.getByLabel('Email address').fill('nora@example.com')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign up' }).click()
        if (!scripted) {
          await page.getByText('Without scripts, sign up with a mailed code.').waitFor()
          return checkComplaints()
        }
        await page.waitForURL('**/verify-email?**')
        await open('/community/posts/new')
        await page.getByLabel('Title').fill('First')
        await page.getByRole('textbox', { name: 'Text' }).fill('Hello')
        await page.getByRole('button', { name: 'Publish' }).click()
        await page.getByRole('heading', { level: 1, name: 'First' }).waitFor()
        checkComplaints()
      }))

    it(`confirm that it is them, then set a first password ${scripted ? 'with' : 'without'} script`, () =>
      withSite(async (site) => {
        const { page, open, checkComplaints } = await visit(site, { scripted })
        const { world } = site
        await open('/sign-in')
        await page.getByLabel('Email address').fill('nora@example.com')
        await page.getByRole('button', { name: 'Email me a code instead' }).click()
        await page.getByLabel('Code').waitFor()
        await page.getByLabel('Code').fill(await world.code('nora@example.com'))
        await page.keyboard.press('Enter')
        await page.waitForURL('**/onboarding**')
        await open('/settings/security')
        world.clock.pass(601)
        const section = page.locator('#password')
        await section.getByLabel('New password').fill('a better password')
        await section.getByRole('button', { name: 'Set a password' }).click()
        await section.getByRole('heading', { name: "Confirm it's you" }).waitFor()
        await section.getByRole('button', { name: 'Email me a code' }).click()
        await section.getByLabel('Code').waitFor()
        await section.getByLabel('Code').fill(await world.code('nora@example.com'))
        await section.getByRole('button', { name: 'Confirm' }).click()
        await section.getByText('Confirmed. Now choose a password.').waitFor()
        await section.getByLabel('New password').fill('a better password')
        await section.getByRole('button', { name: 'Set a password' }).click()
        await page.getByText('Password changed.').waitFor()
        checkComplaints()
      }))
  }

  it('confirm that it is them before a passkey is added, and it is added then: with a password, with a passkey', () =>
    withSite(async (site) => {
      const { page, context, open, checkComplaints } = await visit(site, { name: 'mara' })
      const device = await context.newCDPSession(page)
      await device.send('WebAuthn.enable')
      const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE })
      await open('/settings/security')
      site.world.clock.pass(601)
      await page.getByLabel('Name of the new passkey').fill('Laptop')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByLabel('Your password').fill(PASSWORD)
      await page.getByRole('button', { name: 'Confirm', exact: true }).click()
      await page.getByText('Passkey added').waitFor()
      await page.getByRole('heading', { name: 'Laptop' }).waitFor()
      site.world.clock.pass(601)
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByRole('button', { name: 'Use a passkey' }).click()
      // The device has a passkey of this account, and says so: what was confirmed went on.
      await page.getByText('This device already has a passkey for your account.').waitFor()
      await device.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
      checkComplaints()
    }))

  for (const scripted of [true, false]) {
    it(`are signed out of other browsers ${scripted ? 'with' : 'without'} script: of one, then of all the others`, () =>
      withSite(async (site) => {
        const { page, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
        const at = { email: 'mara@example.com', password: PASSWORD }
        const others = [SAFARI, FIREFOX, FIREFOX].map((userAgent) => newBrowser(site.world, userAgent))
        for (const other of others) await other.accounts.signIn(at)
        await open('/settings/security')
        const browsers = page.locator('#browsers')
        const entries = browsers.getByRole('listitem')
        assert.equal(await entries.count(), 4)
        await entries.filter({ hasText: 'This browser' }).getByRole('heading', { name: 'Chrome on Linux' }).waitFor()
        const safari = entries.filter({ hasText: 'Safari on macOS' })
        await safari.getByText('End', { exact: true }).click()
        await safari.getByRole('button', { name: 'End session of Safari on macOS' }).click()
        await browsers.getByText('Safari on macOS is signed out.').waitFor()
        assert.equal(await entries.count(), 3)
        assert.equal(await others[0]!.accounts.getSession(), null)
        assert.ok(await others[1]!.accounts.getSession())
        await browsers.getByText('Sign out everywhere else').click()
        await browsers.getByRole('button', { name: 'Sign out 2 browsers' }).click()
        await browsers.getByText('Every other browser is signed out.').waitFor()
        assert.equal(await entries.count(), 1)
        for (const other of others) assert.equal(await other.accounts.getSession(), null)
        checkComplaints()
      }))
  }

  it('have passkeys: added, named, signed in with, and removed', () =>
    withSite(async (site) => {
      const { page, context, open, checkComplaints } = await visit(site, { name: 'mara' })
      const device = await context.newCDPSession(page)
      await device.send('WebAuthn.enable')
      await device.send('WebAuthn.addVirtualAuthenticator', { options: DEVICE })
      await open('/settings/security')
      await page.getByLabel('Name of the new passkey').fill('Laptop')
      await page.getByRole('button', { name: 'Add a passkey' }).click()
      await page.getByText('Passkey added').waitFor()
      await page.getByText('Rename').click()
      await page.getByLabel('Name', { exact: true }).fill('Old laptop')
      await page.getByRole('button', { name: 'Save name' }).click()
      await page.getByRole('heading', { name: 'Old laptop' }).waitFor()
      await context.clearCookies()
      await open('/sign-in?to=%2Fcommunity%2Fbugs')
      await page.getByRole('button', { name: 'Sign in with a passkey' }).click()
      await page.waitForURL('**/community/bugs')
      await open('/settings/security')
      await page.locator('#passkeys').getByText('Last used').waitFor()
      await page.getByText('Remove', { exact: true }).click()
      await page.getByRole('button', { name: 'Remove passkey Old laptop' }).click()
      await page.getByRole('heading', { name: 'Old laptop' }).waitFor({ state: 'detached' })
      checkComplaints()
    }))

  for (const scripted of [true, false]) {
    it(`are come into on the way to an agent's consent ${scripted ? 'with' : 'without'} script, as on any other way`, () =>
      withSite(async (site) => {
        const { page, context, open, checkComplaints } = await visit(site, { scripted, name: 'mara' })
        await context.clearCookies()
        const client = oauthClient(site.world)
        const { to } = await client.authorize(site.world.anonymous, {
          clientId: await client.register({ client_name: 'Helper' }),
        })
        await open(to!.pathname + to!.search)
        await page.getByRole('link', { name: 'Sign in with a passkey, or make an account' }).click()
        await page.getByLabel('Email address').fill('mara@example.com')
        await page.getByLabel('Password').fill(PASSWORD)
        await page.getByRole('button', { name: 'Sign in', exact: true }).click()
        await page.getByRole('heading', { name: 'Helper wants to use your account' }).waitFor()
        assert.equal(new URL(page.url()).pathname, '/oauth/consent')
        checkComplaints()
      }))
  }
})
