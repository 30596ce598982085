// Accounts on the site, as a browser without script uses them: every way in, what is refused, and where one goes from there.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { setReaders } from './private-world.ts'
import { newBrowser, SAFARI, signedInBrowser } from './visitors.ts'
import { onEveryEngine, type Person } from './world.ts'

const to = '%2Fcommunity%2Fbugs%3Fsort%3Dpopular'
const NEW = { name: 'Mira', email: 'mira@example.com', password: 'the looms are singing' }
const ELSEWHERE = ['https://elsewhere.example/', '//elsewhere.example', '/\\elsewhere.example', 'javascript:alert(1)']

const location = (response: Response) => response.headers.get('location')
const hasCookie = (response: Response) => response.headers.getSetCookie().length > 0
const get = (person: Person, path: string) => person.request(path, { redirect: 'manual' })
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

onEveryEngine('accounts on the site', (it) => {
  it('are made with a password, verify their email next, and go on by way of a username', async (world) => {
    const browser = newBrowser(world)
    const made = await submit(browser, `/sign-up?/create&to=${to}`, NEW)
    assert.deepEqual([made.status, location(made)], [303, `/verify-email?to=${to}`])
    assert.ok(hasCookie(made))
    const page = await (await get(browser, location(made)!)).text()
    assert.match(page, /autocomplete="one-time-code"/)
    assert.ok(page.includes(`href="/onboarding?to=${to}"`), 'it can be skipped')
    const code = await world.code(NEW.email)
    const wrong = await submit(browser, `/verify-email?/verify&to=${to}`, { code: code === '000000' ? '1' : '000000' })
    assert.equal(wrong.status, 400)
    assert.match(await wrong.text(), /id="field-code-error"/)
    const verified = await submit(browser, `/verify-email?/verify&to=${to}`, { code })
    assert.deepEqual([verified.status, location(verified)], [303, `/onboarding?to=${to}`])
    assert.equal((await browser.accounts.getSession())?.user.emailVerified, true)
    assert.equal(location(await get(browser, `/verify-email?to=${to}`)), `/onboarding?to=${to}`)
  })

  it('get another code for their email, and nowhere else than here afterwards', async (world) => {
    const { alice, code, anonymous } = world
    await alice.account()
    await alice.profile.setUsername({ username: 'alice-here' })
    assert.equal(location(await get(anonymous, '/verify-email')), '/sign-in?to=%2Fverify-email')
    const again = await submit(alice, `/verify-email?/send&to=${to}`, {})
    assert.match(await again.text(), /The previous code no longer works/)
    for (const path of ELSEWHERE) {
      const page = await (await get(alice, `/verify-email?to=${encodeURIComponent(path)}`)).text()
      assert.equal(/(href|action)="[^"]*elsewhere/.test(page), false, path)
    }
    const verified = await submit(alice, '/verify-email?/verify&to=%2F%2Felsewhere.example', {
      code: await code(alice.email),
    })
    assert.equal(location(verified), '/')
  })

  it('say what is wrong beside the field, keep what was typed, and never a password', async ({ anonymous }) => {
    const refused = await submit(anonymous, `/sign-up?/create&to=${to}`, { ...NEW, password: 'secret!' })
    assert.equal(refused.status, 400)
    const page = await refused.text()
    assert.match(page, /id="field-password-error"/)
    assert.match(page, /value="mira@example\.com"/)
    assert.doesNotMatch(page, /secret!/)
    assert.ok(page.includes(`?/create&amp;to=${to}`), 'where they were going is kept')
  })

  it('offer the ways in where an address has an account already', async ({ alice, anonymous, code }) => {
    await alice.account()
    const taken = await submit(anonymous, '/sign-up?/create', { ...NEW, email: alice.email })
    assert.equal(taken.status, 409)
    assert.match(await taken.text(), /action="\/sign-in\?\/address/)
    const prefilled = await submit(anonymous, '/sign-in?/address', { email: alice.email })
    assert.ok((await prefilled.text()).includes(`value="${alice.email}"`))
    const mailed = await submit(anonymous, '/sign-in?/code', { email: alice.email })
    assert.match(await mailed.text(), /autocomplete="one-time-code"/)
    assert.match(await code(alice.email), /^\d{6}$/)
  })

  it('are come into with a password, and nowhere else than here', async ({ alice, anonymous }) => {
    await alice.account()
    await alice.profile.setUsername({ username: 'alice-here' })
    const fields = { email: alice.email, password: 'alice has a password' }
    const into = (path: string) => submit(anonymous, `/sign-in?/password&to=${encodeURIComponent(path)}`, fields)
    const entered = await into('/community/bugs?sort=popular')
    assert.deepEqual([entered.status, location(entered)], [303, '/community/bugs?sort=popular'])
    assert.ok(hasCookie(entered))
    for (const path of ELSEWHERE) assert.equal(location(await into(path)), '/', path)
    assert.equal(location(await get(alice, `/sign-in?to=${to}`)), '/community/bugs?sort=popular', 'who is in, stays in')
    for (const path of ELSEWHERE) {
      assert.equal(location(await get(alice, `/sign-up?to=${encodeURIComponent(path)}`)), '/', path)
    }
  })

  it('are come into with a mailed code; the second step keeps the address', async ({ anonymous, code }) => {
    const { email } = NEW
    const mailed = await submit(anonymous, `/sign-in?/code&to=${to}`, { email })
    assert.match(await mailed.text(), /<input type="hidden" name="email" value="mira@example\.com"/)
    const digits = await code(email)
    const wrong = digits === '000000' ? '111111' : '000000'
    const refused = await submit(anonymous, `/sign-in?/verify&to=${to}`, { email, code: wrong })
    assert.equal(refused.status, 401)
    const again = await refused.text()
    assert.match(again, /id="field-code-error"/)
    assert.match(again, /<input type="hidden" name="email" value="mira@example\.com"/)
    const spaced = `${digits.slice(0, 3)} ${digits.slice(3)}`
    const entered = await submit(anonymous, `/sign-in?/verify&to=${to}`, { email, code: spaced })
    assert.deepEqual([entered.status, location(entered)], [303, `/onboarding?to=${to}`])
  })

  it('get a new password by mail', async ({ alice, anonymous, code }) => {
    await alice.account()
    await submit(anonymous, '/forgot-password?/send', { email: alice.email })
    const fields = { email: alice.email, code: await code(alice.email), password: 'a better password' }
    const saved = await submit(anonymous, '/forgot-password?/reset', fields)
    assert.equal(saved.status, 303)
    assert.ok(hasCookie(saved))
    await anonymous.accounts.signIn({ email: alice.email, password: 'a better password' })
  })

  it('that are blocked see that on the form', async ({ blocked, anonymous }) => {
    await blocked.account().catch(() => undefined)
    const refused = await submit(anonymous, '/sign-in?/password', {
      email: blocked.email,
      password: 'blocked has a password',
    })
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /This account is blocked\. If you think/)
  })

  it('have settings that are theirs alone', async ({ alice, anonymous }) => {
    for (const path of ['/settings', '/settings/security', '/settings/apps', '/onboarding']) {
      assert.equal(location(await get(anonymous, path)), `/sign-in?to=${encodeURIComponent(path)}`)
      const page = await get(alice, path)
      assert.equal(page.status, 200)
      assert.match(await page.text(), /<meta name="robots" content="noindex"/)
    }
  })

  it('change their profile: tags with commas, addresses without https', async ({ alice }) => {
    await alice.account()
    const fields = { name: 'Alice', tags: 'looms,  weaving', githubUrl: 'github.com/alice', tagline: '' }
    assert.equal((await submit(alice, '/settings?/profile', fields)).status, 200)
    const { name, tags, githubUrl, tagline } = await alice.profile.get()
    assert.deepEqual(
      [name, tags, githubUrl, tagline],
      ['Alice', ['looms', 'weaving'], 'https://github.com/alice', null],
    )
    const refused = await submit(alice, '/settings?/profile', { ...fields, websiteUrl: 'javascript:alert(1)' })
    assert.equal(refused.status, 400)
    assert.match(await refused.text(), /id="field-websiteUrl-error"/)
  })

  it('set a picture, which goes to the API as it came', async ({ alice }) => {
    await alice.account()
    const form = new FormData()
    form.append('avatar', new Blob([PNG], { type: 'image/png' }), 'me.png')
    const packed = new Response(form)
    const body = await packed.arrayBuffer()
    const type = packed.headers.get('content-type')!
    const headers = { 'Content-Type': type, 'Content-Length': String(body.byteLength), Accept: 'text/html' }
    const set = await alice.request('/settings?/avatar', { method: 'POST', headers, body })
    assert.equal(set.status, 200)
    const { avatarUrl } = await alice.profile.me()
    assert.match(avatarUrl ?? '', /^\/api\/images\/avatar\//)
    await alice.posts.create({ title: 'Out', body: 'It is' })
    const list = await (await alice.request('/community/posts')).text()
    assert.ok(list.includes(`<img class="avatar" src="${avatarUrl}&amp;width=48"`))
  })

  it('change their password, and stay signed in here with another session', async ({ alice }) => {
    await alice.account()
    const fields = { password: 'alice has a password', newPassword: 'a better password' }
    const wrong = await submit(alice, '/settings/security?/changePassword', { ...fields, password: 'not it' })
    assert.equal(wrong.status, 401)
    assert.match(await wrong.text(), /id="field-password-error"/)
    const changed = await submit(alice, '/settings/security?/changePassword', fields)
    assert.equal(changed.status, 303)
    assert.equal((await get(alice, location(changed)!)).status, 200)
  })

  it('keeps a session for who opens pages alone, also where only members read, and says so once', async (world) => {
    const { alice, clock } = world
    await alice.account()
    for (const readers of ['everyone', 'members'] as const) {
      await setReaders(world, readers)
      for (const path of ['/community', '/settings']) {
        clock.pass(2 * 86_400)
        const renewed = (await get(alice, path)).headers
          .getSetCookie()
          .filter((line) => /^guildhall_session=/.test(line))
        assert.equal(renewed.length, 1, `${path} for ${readers}`)
        assert.match(renewed[0] ?? '', /Max-Age=\d{5}/)
        assert.equal(hasCookie(await get(alice, path)), false)
      }
    }
  })

  it('see their browsers, end one, and then all others', async (world) => {
    const { alice, bob } = world
    await signedInBrowser(world, alice, SAFARI)
    const [lost] = (await alice.sessions.list()).items
    const end = { id: lost!.id, name: lost!.device! }
    assert.doesNotMatch(await (await get(alice, '/settings/security')).text(), /Sign out everywhere else/)
    const refused = await submit(bob, '/settings/security?/endSession', end)
    assert.equal(refused.status, 404)
    assert.match(await refused.text(), /No such session/)
    const ended = await (await submit(alice, '/settings/security?/endSession', end)).text()
    assert.match(ended, /Safari on macOS is signed out\./)
    assert.match(ended, /<h3>Unknown browser</)
    assert.match(ended, /This browser</)
    const others = [await signedInBrowser(world, alice), await signedInBrowser(world, alice)]
    assert.match(await (await get(alice, '/settings/security')).text(), /Sign out everywhere else/)
    await submit(alice, '/settings/security?/endOtherSessions', {})
    for (const other of others) assert.equal(await other.accounts.getSession(), null)
    assert.equal((await alice.sessions.list()).items.length, 1)
  })

  it('see in their settings whether their email is verified, and verify it', async ({ alice, code }) => {
    await alice.account()
    assert.match(await (await get(alice, '/settings')).text(), /Your email is not verified\./)
    assert.match(await (await get(alice, '/settings/security')).text(), /Not verified\./)
    assert.equal((await submit(alice, '/settings/security?/sendVerification', {})).status, 200)
    await submit(alice, '/settings/security?/verifyEmail', { code: await code(alice.email) })
    assert.equal((await alice.accounts.getSession())?.user.emailVerified, true)
    assert.doesNotMatch(await (await get(alice, '/settings')).text(), /not verified/)
    assert.match(await (await get(alice, '/settings/security')).text(), /Verified\./)
  })

  it('see beside the field that a password is too common, or their own address', async ({ anonymous }) => {
    for (const password of ['password1', NEW.email]) {
      const refused = await submit(anonymous, '/sign-up?/create', { ...NEW, password })
      assert.equal(refused.status, 400)
      assert.match(await refused.text(), /id="field-password-error"/)
    }
  })

  it('confirm that it is them before they set a first password, in place, and go on', async (world) => {
    const { clock, code } = world
    const person = newBrowser(world)
    const email = 'dora@example.com'
    await person.accounts.sendCode({ email })
    await person.accounts.signInWithCode({ email, code: await code(email) })
    assert.match(await (await get(person, '/settings/security')).text(), /\?\/setPassword/)
    clock.pass(601)
    const late = await submit(person, '/settings/security?/setPassword', { newPassword: 'a better password' })
    assert.deepEqual([late.status, location(late)], [303, '/settings/security?confirm=password#password'])
    const asked = await (await get(person, '/settings/security')).text()
    assert.match(asked, /Confirm it's you/)
    assert.doesNotMatch(asked, /\?\/setPassword/)
    const mailed = await submit(person, '/settings/security?/mailConfirmation&confirm=password', {})
    assert.match(await mailed.text(), /\?\/confirmCode/)
    const wrong = await submit(person, '/settings/security?/confirmCode&confirm=password', { code: 'wrong' })
    assert.equal(wrong.status, 401)
    assert.match(await wrong.text(), /id="field-code-error"/)
    const fields = { code: await code(email) }
    const done = await submit(person, '/settings/security?/confirmCode&confirm=password', fields)
    assert.deepEqual([done.status, location(done)], [303, '/settings/security?ready=password#password'])
    assert.match(await (await get(person, location(done)!)).text(), /Confirmed\. Now choose a password\./)
    const set = await submit(person, '/settings/security?/setPassword', { newPassword: 'a better password' })
    assert.equal(location(set), '/settings/security?changed')
    await world.anonymous.accounts.signIn({ email, password: 'a better password' })
  })

  it('confirm with their password before a passkey is added', async ({ alice, clock }) => {
    await alice.account()
    clock.pass(601)
    const path = '/settings/security?confirm=passkeys&name=Laptop'
    assert.match(await (await get(alice, path)).text(), /id="confirm-password"/)
    const act = '/settings/security?/confirm&confirm=passkeys&name=Laptop'
    const wrong = await submit(alice, act, { password: 'not it' })
    assert.equal(wrong.status, 401)
    assert.match(await wrong.text(), /id="confirm-password-error"/)
    const done = await submit(alice, act, { password: 'alice has a password' })
    assert.equal(location(done), '/settings/security?ready=passkeys&name=Laptop#passkeys')
    const ready = await (await get(alice, location(done)!)).text()
    assert.match(ready, /data-add-passkey[^>]* data-ready/)
    assert.match(ready, /value="Laptop"/)
  })

  it('are signed out by a form, never by a link', async ({ alice }) => {
    await alice.account()
    await get(alice, '/sign-out')
    assert.ok(await alice.accounts.getSession())
    const ended = await submit(alice, '/sign-out?/end', {})
    assert.equal(location(ended), '/')
    assert.equal(ended.headers.get('clear-site-data'), '"cache"')
    assert.equal(await alice.accounts.getSession(), null)
  })

  it('have a public page, in any case of the name, with nofollow links', async ({ alice, anonymous }) => {
    await alice.profile.setUsername({ username: 'Alice-Here' })
    await alice.profile.update({ name: 'Alice </script><b>', websiteUrl: 'https://alice.example/' })
    await alice.posts.create({ title: 'About looms', body: 'Text' })
    const page = await (await get(anonymous, '/community/u/alice-here')).text()
    assert.match(page, /<link rel="canonical" href="[^"]*\/community\/u\/Alice-Here"/)
    assert.match(page, /<a href="https:\/\/alice\.example\/" rel="nofollow ugc me noopener"/)
    assert.match(page, /About looms/)
    assert.doesNotMatch(page, /<\/script><b>/)
    const data = JSON.parse(/<script type="application\/ld\+json">(.*?)<\/script>/s.exec(page)![1]!)
    assert.deepEqual([data['@type'], data.mainEntity.alternateName], ['ProfilePage', 'Alice-Here'])
    assert.equal((await get(anonymous, '/community/u/nobody-of-that-name')).status, 404)
  })

  it('are blocked and unblocked from their page, by moderators', async ({ alice, bob, moderator, admin }) => {
    const { id } = await alice.account()
    await alice.profile.setUsername({ username: 'alice-here' })
    const path = '/community/u/alice-here'
    assert.doesNotMatch(await (await get(bob, path)).text(), /\?\/block/)
    assert.equal((await submit(bob, `${path}?/block`, { id })).status, 403)
    const done = await submit(moderator, `${path}?/block`, { id, reason: 'Spam' })
    assert.match(await done.text(), /\?\/unblock/)
    assert.equal((await get(bob, path)).status, 404)
    assert.equal((await get(moderator, path)).status, 404)
    assert.match(await (await get(admin, path)).text(), /\?\/unblock/)
    assert.equal((await submit(admin, `${path}?/unblock`, { id })).status, 303)
    assert.equal((await get(bob, path)).status, 200)
  })
})
