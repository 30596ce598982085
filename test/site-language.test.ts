// The language of pages: chosen by the account, the switch in the footer or the browser, and never that of another reader.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
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
  })
})
