// The button that has a machine summarize a thread, on pages, in both languages; it is there where there is a machine.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { answerBy, startMachine } from './http-service.ts'
import { onEveryEngine, type Person } from './world.ts'

const { service, settings } = await startMachine()

const page = async (person: Person, path: string) => {
  const response = await person.request(path)
  return response.text()
}
const ask = async (person: Person, path: string, language = 'en') => {
  const answer = await submit(person, `${path}?/summarize`, {}, { 'Accept-Language': language })
  return answer.text()
}

onEveryEngine(
  'the page of a thread',
  (it) => {
    it('has it summarized, as plain text that says who made it', async ({ alice, anonymous, moderator }) => {
      const { id } = await alice.bugs.create({ title: 'Late', description: 'It is late', severity: 'low' })
      const path = `/community/bugs/${id}`
      assert.match(await page(alice, path), /action="\?\/summarize"/)
      assert.doesNotMatch(await page(anonymous, path), /summarize/)
      answerBy(service, '**Late** <script>alert(1)</script>')
      const shown = await ask(alice, path)
      assert.match(shown, /Made by a machine/)
      assert.match(shown, /\*\*Late\*\* &lt;script/)
      assert.match(await ask(alice, path, 'de'), /Maschinell erstellt/)
      service.answer = (_, response) => response.writeHead(500).end()
      await moderator.bugs.comment({ id, body: 'Again' })
      assert.match(await ask(alice, path), /The machine does not answer right now/)
    })

    it('is in the privacy policy', async ({ anonymous }) => {
      assert.match(await page(anonymous, '/privacy'), /the texts of that thread are sent to it/)
    })

    it('has no button where that cannot be', async ({ alice, admin }) => {
      const release = await admin.changelog.create({ title: '1.0', body: 'More' })
      assert.doesNotMatch(await page(alice, `/community/changelog/${release.id}`), /summarize/)
      await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: admin' })
      const { id } = await admin.posts.create({ title: 'A', body: 'B', board: 'staff' })
      assert.doesNotMatch(await page(admin, `/community/posts/${id}`), /summarize/)
    })
  },
  settings,
)

onEveryEngine('the page of a thread without a machine', (it) => {
  it('has no button', async ({ alice }) => {
    const { id } = await alice.posts.create({ title: 'A', body: 'B' })
    assert.doesNotMatch(await page(alice, `/community/posts/${id}`), /summarize/)
    assert.equal((await alice.request(`/docs/reference/assistant`)).status, 404)
    assert.doesNotMatch(await page(alice, '/privacy'), /machine_services|sent to a service|sent to it/)
  })
})
