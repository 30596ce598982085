// The page of the set-up, as a browser without script uses it: from the link that a start prints to the first admin.
import assert from 'node:assert/strict'
import { renewSetupLink } from '../src/accounts/setup/setup.ts'
import { submit } from './form.ts'
import { newBrowser } from './visitors.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const BOSS = 'boss@example.com'
const get = (person: Person, path: string) => person.request(path, { redirect: 'manual' })
const location = (response: Response) => response.headers.get('location')

async function pathOfLink({ dependencies }: World): Promise<string> {
  const link = await renewSetupLink(dependencies)
  assert.ok(link)
  return link.slice(dependencies.config.baseUrl.length)
}

onEveryEngine('the page of the set-up', (it) => {
  it('takes the token out of its address at once, and keeps it from other sites and caches', async (world) => {
    const browser = newBrowser(world)
    const path = await pathOfLink(world)
    const response = await get(browser, path)
    assert.deepEqual([response.status, location(response)], [303, '/setup'])
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    const [cookie] = response.headers.getSetCookie()
    assert.match(cookie ?? '', /; Path=\/setup; HttpOnly; SameSite=Lax$/i)
    const page = await get(browser, '/setup')
    const text = await page.text()
    assert.deepEqual([page.status, page.headers.get('referrer-policy')], [200, 'no-referrer'])
    assert.equal(page.headers.get('cache-control'), 'no-store')
    assert.equal(text.includes(new URLSearchParams(path.split('?')[1]).get('token')!), false)
    assert.match(text, /<meta name="robots" content="noindex"/)
  })

  it('makes the admin with the mailed code, keeps what was typed, and leads on', async (world) => {
    const browser = newBrowser(world)
    await get(browser, await pathOfLink(world))
    const mailed = await submit(browser, '/setup?/code', { adminName: 'Mira', email: BOSS, code: '' })
    const page = await mailed.text()
    assert.equal(mailed.status, 200)
    assert.match(page, /value="Mira"/)
    assert.match(page, /value="boss@example\.com"/)
    const code = await world.code(BOSS)
    const wrong = await submit(browser, '/setup?/finish', { adminName: 'Mira', email: BOSS, code: `${code}0` })
    const again = await wrong.text()
    assert.equal(wrong.status, 400)
    assert.match(again, /id="field-code-error"/)
    assert.match(again, /value="Mira"/)
    const done = await submit(browser, '/setup?/finish', { adminName: 'Mira', email: BOSS, code })
    assert.deepEqual([done.status, location(done)], [303, '/setup/done'])
    assert.equal((await browser.accounts.getSession())?.user.role, 'admin')
    assert.equal((await get(browser, '/setup/done')).status, 200)
    assert.equal((await get(browser, '/setup')).status, 403)
  })

  it('asks what it is for and whether it starts with sample data, which go on the page of the administration', async (world) => {
    const browser = newBrowser(world)
    await get(browser, await pathOfLink(world))
    await submit(browser, '/setup?/code', { email: BOSS })
    const code = await world.code(BOSS)
    const answers = { purpose: 'For friends\nof looms', samples: 'some', email: BOSS, code }
    assert.equal((await submit(browser, '/setup?/finish', answers)).status, 303)
    await world.dependencies.settings.reload()
    assert.match(await (await get(world.anonymous, '/')).text(), /<p>For friends of looms<\/p>/)
    const bugs = await browser.bugs.list()
    assert.equal(bugs.total, 2)
    await world.alice.bugs.vote({ id: bugs.items[0]!.id, value: 1 })
    assert.match(await (await get(browser, '/admin')).text(), /made 7 things as sample data/)
    const removed = await (await submit(browser, '/admin?/samples', {})).text()
    assert.match(removed, /5 things were removed/)
    assert.ok(removed.includes(`/community/bugs/${bugs.items[0]!.id}`))
    assert.doesNotMatch(await (await get(browser, '/admin')).text(), /sample data/)
  })

  it('is not there without the link, with another one, and afterwards', async (world) => {
    const path = await pathOfLink(world)
    assert.equal((await get(newBrowser(world), '/setup')).status, 403)
    const stranger = newBrowser(world)
    await get(stranger, `/setup?token=${'x'.repeat(43)}`)
    assert.equal((await get(stranger, '/setup')).status, 403)
    assert.equal((await submit(stranger, '/setup?/code', { email: BOSS })).status, 403)
    assert.equal((await submit(stranger, '/setup?/finish', { email: BOSS, code: '123456' })).status, 403)
    const malformed = newBrowser(world)
    const response = await get(malformed, '/setup?token=%3Cscript%3E')
    assert.deepEqual([response.status, response.headers.getSetCookie()], [303, []])
    await world.alice.account()
    const late = newBrowser(world)
    await get(late, path)
    assert.equal((await get(late, '/setup')).status, 409)
    assert.equal(location(await get(late, '/setup/done')), '/sign-in?to=%2Fsetup%2Fdone')
  })
})
