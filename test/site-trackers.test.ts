// Who I am at a tracker, on the site, as browsers without script use it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { link, settings } from './trackers.ts'
import { onEveryEngine, type Person } from './world.ts'

const PATH = '/settings/trackers'
const page = async (person: Person, headers = {}) => (await person.request(PATH, { headers })).text()

onEveryEngine(
  'the page of my trackers',
  (it) => {
    it('says that there are none', async ({ alice }) => {
      assert.match(await page(alice), /No board that you read is linked/)
    })

    it('asks for a code, shows it once, and ends the link', async (world) => {
      const { alice } = world
      const { there, settle } = await link(world)
      await alice.bugs.create({ title: 'The tray jams', description: 'Always', severity: 'low' })
      await settle()
      there.addUser('octocat')
      assert.match(await page(alice), /acme\/looms: not linked/)
      const wrong = await submit(alice, `${PATH}?/ask`, { service: 'github', login: 'nobody-there' })
      assert.match(await wrong.text(), /GitHub has no such person/)
      const answer = await submit(alice, `${PATH}?/ask`, { service: 'github', login: 'octocat' })
      const code = /guildhall-link-[0-9a-f]{32}/.exec(await answer.text())?.[0] ?? ''
      const waiting = await page(alice)
      assert.match(waiting, /A code for octocat was not read yet/)
      assert.ok(code !== '' && !waiting.includes(code))
      there.act('octocat').comment(1, code)
      await settle()
      assert.match(await page(alice), /octocat at GitHub acts for your account/)
      assert.match(await page(alice, { 'Accept-Language': 'de' }), /octocat bei GitHub handelt für dein Konto/)
      assert.equal((await submit(alice, `${PATH}?/remove`, { service: 'github' })).status, 303)
      assert.match(await page(alice), /acme\/looms: not linked/)
    })

    it('asks for a credential where the session is older, and for a sign-in without one', async (world) => {
      await link(world)
      const anonymous = await world.anonymous.request(PATH, { redirect: 'manual' })
      assert.match(anonymous.headers.get('location') ?? '', /sign-in/)
      await page(world.alice)
      world.clock.pass(601)
      const later = await submit(world.alice, `${PATH}?/ask`, { service: 'github', login: 'octocat' })
      assert.equal(later.headers.get('location'), `${PATH}?confirm=tracker#confirm`)
    })
  },
  settings,
)
