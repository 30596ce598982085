// A language that an operator adds: in the menu, on pages, for the script and in mails, with English where it has no message.
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { after } from 'node:test'
import { htmlOf } from '../src/mail/html.ts'
import { french, languagesFolder } from './added-languages.ts'
import { submit } from './form.ts'
import { newBrowser } from './visitors.ts'
import { onEveryEngine, type Person } from './world.ts'

const folder = languagesFolder({
  fr: french,
  ar: { 'language.json': { name: 'العربية' }, 'home.json': { hero: 'حيث يلتقي الناس ووكلاؤهم' } },
})
after(() => rmSync(folder, { recursive: true }))

const asked = async (person: Person, path: string, language: string) => {
  const response = await person.request(path, { headers: { 'Accept-Language': language }, redirect: 'manual' })
  return { response, page: await response.text() }
}

onEveryEngine(
  'a language that the operator added',
  (it) => {
    it('is what the browser prefers, and what it lacks is English', async ({ anonymous }) => {
      const { response, page } = await asked(anonymous, '/', 'es, fr-CA;q=0.9, de;q=0.8')
      assert.equal(response.headers.get('content-language'), 'fr')
      assert.match(page, /<html lang="fr" dir="ltr"/)
      assert.match(page, /Là où les gens et leurs agents échangent/)
      assert.match(page, /Report what breaks/, 'an empty message is missing')
      // Cached pages of other languages stay theirs.
      assert.match((await asked(anonymous, '/', 'de')).page, /<html lang="de" dir="ltr".*Wo Menschen/s)
      assert.match((await asked(anonymous, '/', 'fr')).page, /<html lang="fr".*Là où/s)
      assert.match((await asked(anonymous, '/', 'es')).page, /<html lang="en".*Where people/s)
      assert.match((await asked(anonymous, '/nothing', 'fr')).page, /Cette page n’existe pas/)
      assert.match((await asked(anonymous, '/docs', 'fr')).page, /<h2 id="read">Read<\/h2>/, 'guides are in English')
    })

    it('is written from right to left where its script is', async ({ anonymous }) => {
      assert.match((await asked(anonymous, '/', 'ar-EG')).page, /<html lang="ar" dir="rtl"/)
    })

    it('is in the menu of every page, in its own words, and kept by a browser and an account', async (world) => {
      const menu = /<button [^>]*name="language" value="fr" lang="fr" aria-pressed="(true|false)">\s*Français/
      assert.equal(menu.exec((await asked(world.anonymous, '/search', 'en')).page)?.[1], 'false')
      const browser = newBrowser(world)
      const changed = await submit(browser, '/language', { language: 'fr', back: '/search' })
      assert.equal(changed.status, 303)
      assert.equal(menu.exec((await asked(browser, '/search', 'en')).page)?.[1], 'true')
      const { alice } = world
      await submit(alice, '/language', { language: 'fr', back: '/' })
      assert.equal((await alice.accounts.getSession())?.user.language, 'fr')
      assert.equal((await alice.language.set({ language: 'ar' })).user.language, 'ar')
      for (const language of ['es', 'FR', 'fr-CA']) {
        await assert.rejects(alice.language.set({ language }), { status: 400 }, language)
      }
      assert.equal((await alice.accounts.getSession())?.user.language, 'ar')
    })

    it('has dates, plurals and numbers by Intl', async (world) => {
      const { alice, anonymous } = world
      const { id } = await alice.posts.create({ title: 'Looms', body: 'One.' })
      await alice.posts.comment({ id, body: 'Two.' })
      const at = `/community/posts/${(await anonymous.posts.get({ id })).number}-looms`
      const { page } = await asked(anonymous, at, 'fr')
      assert.match(page, /<time [^>]*title="\d{1,2} [a-zéû]{3,5}\.? \d{4}, [\d:]+ UTC"/)
      assert.match(page, /1 commentaire\s*</)
    })

    it('is text: nothing in a message is HTML, on pages and in mails', async (world) => {
      const { alice, anonymous } = world
      const { id } = await alice.posts.create({ title: 'Code', body: '```\nx\n```' })
      const at = `/community/posts/${(await anonymous.posts.get({ id })).number}-code`
      const { page } = await asked(anonymous, at, 'fr')
      assert.match(page, /Communauté &lt;img src=x/)
      assert.match(page, /Copier &lt;script/)
      assert.doesNotMatch(page, /<img src=x|<script>alert/)
      const { languages, name } = world.dependencies.config
      const html = htmlOf({
        ...{ subject: 'S', text: 'T', baseUrl: 'https://g.example' },
        name,
        language: 'fr',
        languages,
      })
      assert.match(html, /<html lang="fr" dir="ltr">/)
      assert.match(html, /Envoyé par <a href="https:\/\/g\.example"/)
    })

    it('is handed to the script, with the plurals of the language', async ({ anonymous }) => {
      const { page } = await asked(anonymous, '/search', 'fr')
      const words = JSON.parse(
        (/id="announcer"[^>]* data-words="([^"]*)"/.exec(page)?.[1] ?? '').replaceAll('&quot;', '"'),
      )
      assert.equal(words['page.copied'], "C'est copié")
      assert.deepEqual(
        [words['palette.count'].one, words['palette.count'].other],
        ['{count} résultat', '{count} résultats'],
      )
      const similar = words['page.similar']
      assert.equal(similar.other, '{number}, score {score}, {count} comments', 'English where it has no message')
    })

    it('is that of the first mails of an account that signed up in it', async (world) => {
      const browser = newBrowser(world)
      const body = JSON.stringify({ name: 'Ada', email: 'ada@example.com', password: 'a fine long password' })
      const headers = { 'Content-Type': 'application/json', 'Accept-Language': 'fr' }
      assert.equal((await browser.request('/api/auth/sign-up/email', { method: 'POST', headers, body })).status, 200)
      assert.equal((await browser.accounts.getSession())?.user.language, 'fr')
      const [mail] = await world.mails('ada@example.com')
      assert.equal(mail?.subject, 'Vérifiez votre adresse')
      assert.match(mail?.body ?? '', /Saisissez ce code sur Guildhall <b>pour vérifier<\/b> votre adresse :/)
      assert.match(mail?.body ?? '', /The code is valid for 10 minutes/)
    })

    it('stays out of data that pages send', async ({ anonymous }) => {
      const { response, page } = await asked(anonymous, '/search/__data.json', 'fr')
      assert.equal(response.status, 200)
      assert.doesNotMatch(page, /échangent|résultat/)
    })
  },
  { LANGUAGES_DIR: folder },
)

onEveryEngine('a server without added languages', (it) => {
  it('has English and German alone', async ({ alice, anonymous }) => {
    const { page } = await asked(anonymous, '/', 'fr')
    assert.match(page, /<html lang="en"/)
    assert.doesNotMatch(page, /Français/)
    await assert.rejects(alice.language.set({ language: 'fr' }), /is not a language of this server/)
    assert.equal((await alice.language.set({ language: 'de' })).user.language, 'de')
  })
})
