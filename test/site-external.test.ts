// Signing in with an external provider on the site, as a browser without script does it; connecting an account, and pages of closed sign-up.
import assert from 'node:assert/strict'
import { CLIENT, startProvider } from './external-provider.ts'
import { submit } from './form.ts'
import { newBrowser } from './visitors.ts'
import { BASE_URL, onEveryEngine, type Person } from './world.ts'

const provider = await startProvider(`${BASE_URL}/sign-in/external`)
const SETTINGS = {
  OIDC_ISSUER: provider.issuer,
  OIDC_CLIENT_ID: CLIENT.id,
  OIDC_CLIENT_SECRET: CLIENT.secret,
  OIDC_NAME: 'Example SSO',
}

const location = (response: Response) => response.headers.get('location') ?? ''
const get = (person: Person, path: string, headers: Record<string, string> = {}) =>
  person.request(path, { redirect: 'manual', headers })
const text = async (person: Person, path: string) => (await get(person, path)).text()

/** Follows the button of the sign-in page to the provider and back. */
async function signIn(browser: Person, user: string, to = '/community') {
  const page = await text(browser, `/sign-in?to=${encodeURIComponent(to)}`)
  const href = page.match(/href="(\/sign-in\/external\/start[^"]*)"/)?.[1]?.replaceAll('&amp;', '&')
  assert.ok(href, 'the page has the button')
  assert.match(page, /Sign in with Example SSO/)
  const started = await get(browser, href)
  assert.equal(started.status, 303, await started.text())
  const query = await provider.signIn(location(started), user)
  return get(browser, `/sign-in/external?${query}`, { 'Sec-Fetch-Site': 'cross-site' })
}

onEveryEngine(
  'the external provider on the site',
  (it) => {
    it('signs in by a button, and goes on where the member was going', async (world) => {
      provider.users['mira'] = { email: 'mira@example.com', email_verified: true, name: 'Mira' }
      const browser = newBrowser(world)
      const first = await signIn(browser, 'mira')
      assert.deepEqual([first.status, location(first)], [303, '/onboarding?to=%2Fcommunity'])
      await browser.profile.setUsername({ username: 'mira' })
      const again = newBrowser(world)
      assert.equal(location(await signIn(again, 'mira', '/library')), '/library')
      assert.equal((await again.sessions.list()).items[0]!.device, 'Firefox on Linux')
      for (const to of ['//elsewhere.example', 'https://elsewhere.example/']) {
        assert.equal(location(await signIn(newBrowser(world), 'mira', to)), '/')
      }
    })

    it('is begun by our own page alone', async (world) => {
      const browser = newBrowser(world)
      for (const site of ['cross-site', 'same-site']) {
        const response = await get(browser, '/sign-in/external/start?to=%2F', { 'Sec-Fetch-Site': site })
        assert.equal(location(response), '/sign-in?to=%2F')
        assert.deepEqual(response.headers.getSetCookie(), [])
      }
    })

    it('says why it did not succeed', async (world) => {
      const { email } = await world.alice.account()
      provider.users['taken'] = { email, email_verified: true }
      const browser = newBrowser(world)
      const refused = await signIn(browser, 'taken')
      assert.match(location(refused), /^\/sign-in\?external=conflict/)
      assert.match(await text(browser, location(refused)), /already has an account here/)
      const unasked = await get(browser, '/sign-in/external?code=x&state=y')
      assert.match(await text(browser, location(unasked)), /did not succeed/)
    })

    it('connects an account in the security settings, and disconnects it', async (world) => {
      const { alice } = world
      await alice.account()
      provider.users['private'] = { email: 'private@elsewhere.example', email_verified: true }
      assert.match(await text(alice, '/settings/security'), /Connect an account/)
      const begun = await (await submit(alice, '/settings/security?/connect', {})).text()
      const href = begun.match(new RegExp(`href="(${provider.issuer}[^"]*)"`))?.[1]?.replaceAll('&amp;', '&')
      assert.ok(href, 'a link leads to the provider')
      const back = await get(alice, `/sign-in/external?${await provider.signIn(href, 'private')}`)
      assert.match(location(back), /^\/settings\/security\?connected/)
      const page = await text(alice, '/settings/security?connected')
      assert.match(page, /private@elsewhere\.example/)
      const { id } = (await alice.external.show()).items[0]!
      await submit(alice, '/settings/security?/disconnect', { id })
      assert.deepEqual((await alice.external.show()).items, [])
    })

    it('asks for a credential first where none was used for ten minutes', async (world) => {
      await world.alice.account()
      world.clock.pass(601)
      const refused = await submit(world.alice, '/settings/security?/connect', {})
      assert.equal(location(refused), '/settings/security?confirm=external#external')
      assert.match(
        await text(world.alice, '/settings/security?confirm=external'),
        /Confirm it's you|Confirm it&#39;s you/,
      )
    })
  },
  SETTINGS,
)

onEveryEngine(
  'what was imported of a person, on the site',
  (it) => {
    it('is offered in the security settings, and taken over there with a yes', async (world) => {
      const records = [
        { type: 'person', id: 'w', accountId: 'weaver', username: 'wanda' },
        {
          type: 'thing',
          id: '1',
          kind: 'bug',
          author: 'w',
          title: 'It stops',
          text: '',
          createdAt: '2024-03-01T10:00:00Z',
        },
      ]
      const file = new File([records.map((one) => JSON.stringify(one)).join('\n')], 'a.jsonl')
      const { id: imported } = await world.admin.imports.read({ source: 'guildhall', name: 'looms', files: [file] })
      await world.admin.imports.start({ id: imported })
      await world.app.imports()
      provider.users['weaver'] = { email: 'weaver@example.com', email_verified: true }
      const browser = newBrowser(world)
      await signIn(browser, 'weaver')
      const page = await text(browser, '/settings/security')
      assert.match(page, /Imported of you/)
      assert.match(page, /wanda, from guildhall looms/)
      const { id } = (await browser.importClaims.list()).items[0]!
      world.clock.pass(601)
      const late = await submit(browser, '/settings/security?/takeOver', { id })
      assert.equal(location(late), '/settings/security?confirm=imported#imported')
      assert.match(await text(browser, '/settings/security?confirm=imported'), /Confirm it's you|Confirm it&#39;s you/)
      const { url } = await browser.external.begin({})
      await browser.external.finish({ query: await provider.signIn(url, 'weaver') })
      const taken = await submit(browser, '/settings/security?/takeOver', { id })
      assert.equal(location(taken), '/settings/security?taken#imported')
      assert.match(await text(browser, '/settings/security?taken'), /It becomes yours/)
      await world.app.imports()
      assert.equal((await browser.bugs.list({})).items[0]?.authorId, (await browser.accounts.getSession())?.user.id)
      assert.doesNotMatch(await text(browser, '/settings/security'), /Imported of you/)
    })
  },
  { ...SETTINGS, OIDC_IMPORTS: 'guildhall:looms' },
)

onEveryEngine(
  'the pages of invited sign-up',
  (it) => {
    it('offer a mailed code in place of a password, and let admins invite', async (world) => {
      const [browser, owner] = [newBrowser(world), newBrowser(world)]
      const page = await text(browser, '/sign-up')
      assert.match(page, /You need an invitation/)
      assert.doesNotMatch(page, /name="password"/)
      assert.doesNotMatch(await text(browser, '/sign-in'), /have a code mailed to create/)
      await owner.accounts.sendCode({ email: 'owner@example.com' })
      await owner.accounts.signInWithCode({ email: 'owner@example.com', code: await world.code('owner@example.com') })
      const invited = await submit(owner, '/admin/invitations?/invite', { email: 'mira@example.com' })
      assert.match(await invited.text(), /mira@example\.com is invited/)
      await submit(browser, '/sign-in?/code', { email: 'mira@example.com' })
      const code = await world.code('mira@example.com')
      const made = await submit(browser, '/sign-in?/verify', { email: 'mira@example.com', code })
      assert.equal(made.status, 303)
      const { id } = await owner.invitations.create({ email: 'noor@example.com' })
      await submit(owner, '/admin/invitations?/remove', { id, email: 'noor@example.com' })
      assert.deepEqual((await owner.invitations.list()).items, [])
    })
  },
  { SIGN_UP: 'invited', ADMIN_EMAILS: 'owner@example.com' },
)
