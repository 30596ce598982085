// What a machine says beside the forms of a thread, as a browser without script asks for it: shown, marked, and in no thing but by a press.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { answerBy, startMachine } from './http-service.ts'
import { onEveryEngine, type Person } from './world.ts'

const { service, settings } = await startMachine()
const report = { title: 'Late', description: 'It is late', severity: 'low' } as const

const page = async (person: Person, path: string) => (await person.request(path)).text()
const press = async (person: Person, path: string, fields: Record<string, string> = {}, language = 'en') => {
  const answer = await submit(person, path, fields, { 'Accept-Language': language })
  return { status: answer.status, text: await answer.text() }
}

onEveryEngine(
  'a machine beside the forms of a thread',
  (it) => {
    it('suggests labels and a severity to moderators, which a press of theirs sets', async (world) => {
      const { alice, moderator } = world
      const { id: label } = await moderator.labels.create({ name: 'digest', color: '#336699' })
      const { id } = await alice.bugs.create(report)
      const path = `/community/bugs/${id}`
      assert.match(await page(moderator, path), /action="\?\/suggestLabels"/)
      assert.doesNotMatch(await page(alice, path), /suggestLabels/)
      answerBy(service, '{"labels": ["digest", "<b>"], "severity": "high"}')
      const { text } = await press(moderator, `${path}?/suggestLabels`)
      assert.match(text, /Made by a machine/)
      assert.match(text, /Add label digest/)
      assert.match(text, /Set severity to High/)
      const before = await alice.bugs.get({ id })
      assert.deepEqual([before.severity, before.labels], ['low', []])
      assert.match((await press(moderator, `${path}?/suggestLabels`, {}, 'de')).text, /Schweregrad auf Hoch setzen/)
      await press(moderator, `${path}?/attachLabel`, { labelId: label })
      await press(moderator, `${path}?/decide`, { status: 'open', severity: 'high' })
      const after = await alice.bugs.get({ id })
      assert.deepEqual([after.severity, after.labels.map((one) => one.name)], ['high', ['digest']])
      const again = await press(moderator, `${path}?/suggestLabels`)
      assert.match(again.text, /Nothing else fits/)
    })

    it('suggests an answer to who can comment, and puts it into the box by a press alone', async (world) => {
      const { alice, bob, anonymous, moderator } = world
      const old = await alice.bugs.create({ ...report, title: 'The webhook signature is wrong' })
      const { id } = await alice.bugs.create({ ...report, title: 'My webhook signature is wrong' })
      const path = `/community/bugs/${id}`
      assert.match(await page(bob, path), /formaction="\?\/suggestAnswer"/)
      assert.doesNotMatch(await page(anonymous, path), /suggestAnswer/)
      answerBy(service, 'Use the raw body. <img src=x onerror=alert(1)>')
      const { text } = await press(bob, `${path}?/suggestAnswer`, { body: 'I think', parentId: '' })
      assert.match(text, /Made by a machine/)
      assert.match(text, /Use the raw body\. &lt;img/)
      assert.ok(text.includes(`href="/community/bugs/${old.id}"`))
      assert.match(text, /<textarea[^>]*>I think<\/textarea>/)
      const taken = await press(bob, `${path}?/takeAnswer`, { body: 'I think', suggested: 'Use the raw body.' })
      assert.match(taken.text, /<textarea[^>]*>I think\n\nUse the raw body\.<\/textarea>/)
      assert.equal((await alice.bugs.get({ id })).commentCount, 0)
      const post = await alice.posts.create({ title: 'A', body: 'B' })
      assert.doesNotMatch(await page(bob, `/community/posts/${post.id}`), /suggestAnswer/)
      await moderator.threads.lock({ id, locked: true })
      assert.doesNotMatch(await page(bob, path), /suggestAnswer/)
    })

    it('translates a comment below it, into the language of the reader', async (world) => {
      const { alice, bob, anonymous } = world
      const { id } = await alice.posts.create({ title: 'A', body: 'B' })
      const { id: comment } = await alice.posts.comment({ id, body: 'Good morning' })
      const path = `/community/posts/${id}`
      assert.doesNotMatch(await page(anonymous, path), /translate/)
      answerBy(service, 'Guten Morgen <script>alert(1)</script>')
      const { text } = await press(bob, `${path}?/translate`, { comment }, 'de')
      assert.match(text, /lang="de"[^>]*>Guten Morgen &lt;script/)
      assert.match(text, /Maschinell erstellt/)
      assert.doesNotMatch(await page(bob, path), /Guten Morgen/)
      service.answer = (_, response) => response.writeHead(500).end()
      assert.match((await press(bob, `${path}?/translate`, { comment }, 'en')).text, /The machine does not answer/)
    })

    it('has no buttons in a closed board', async ({ admin }) => {
      await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: admin' })
      const { id } = await admin.bugs.create({ ...report, board: 'staff' })
      await admin.bugs.comment({ id, body: 'Within' })
      assert.doesNotMatch(await page(admin, `/community/bugs/${id}`), /suggest(Answer|Labels)|\?\/translate/)
    })
  },
  settings,
)

onEveryEngine('the pages without a machine', (it) => {
  it('have none of its buttons', async ({ alice, moderator }) => {
    const { id } = await alice.bugs.create(report)
    await alice.bugs.comment({ id, body: 'Hello' })
    const text = await page(moderator, `/community/bugs/${id}`)
    assert.doesNotMatch(text, /suggest(Answer|Labels)|\?\/translate|by a machine/i)
  })
})
