// Feedback on versions, on the pages of items, bugs and requests, as browsers without script show it and write it.
import assert from 'node:assert/strict'
import { submit } from './form.ts'
import { newVersion, publish } from './owners.ts'
import { onEveryEngine, type Person } from './world.ts'

const page = async (person: Person, path: string) => (await person.request(path)).text()
const crash = { title: 'The clock stops', description: 'At noon', severity: 'low' } as const

onEveryEngine('pages with feedback on versions', (it) => {
  it('list what is open about a version, and lead to forms that name it', async ({ alice, bob, anonymous }) => {
    const { id, slug } = await publish(alice)
    await newVersion(alice, id, '1.0.1')
    const at = `/library/workflows/${slug}`
    const about = { item: id, version: '1.0.0' }
    assert.match(await page(anonymous, at), /id="feedback"[\s\S]*Feedback on 1\.0\.1[\s\S]*Nothing is open/)
    const bug = await bob.bugs.create({ ...crash, about })
    await bob.features.create({ title: 'A second hand', description: 'Please', about })
    await bob.library.comment({ id, body: 'It **ticks**', version: '1.0.0' })
    const old = await page(anonymous, `${at}/versions/1.0.0`)
    assert.match(old, new RegExp(`Open bugs[\\s\\S]*/community/bugs/${bug.id}"[^>]*>#${bug.number} The clock stops`))
    assert.match(old, /Open feature requests[\s\S]*A second hand[\s\S]*It ticks/)
    const form = `/community/bugs/new?item=workflow%2F${slug}&amp;version=1.0.0`
    assert.ok(old.includes(`href="${form}"`))
    assert.match(await page(anonymous, at), new RegExp(`href="${at}/versions/1\\.0\\.0#feedback"`))
    assert.doesNotMatch(await page(anonymous, at), /The clock stops/, 'of another version than the current one')
    const blank = await page(bob, form.replace('&amp;', '&'))
    assert.match(blank, new RegExp(`name="about"[^>]*value="workflow/${slug}"`))
    assert.match(blank, /name="version"[^>]*value="1\.0\.0"/)
    const listed = await page(anonymous, `/community/bugs?item=workflow/${slug}&version=1.0.0`)
    assert.match(listed, /The clock stops[\s\S]*/)
    assert.match(await page(anonymous, `/community/bugs?item=workflow/${slug}&version=1.0.1`), /0 bugs/)
    assert.match(await page(anonymous, `/community/bugs/${bug.id}`), /Version[\s\S]*>Digest 1\.0\.0</)
    await alice.library.update({ id, visibility: 'private' })
    assert.doesNotMatch(await page(anonymous, `/community/bugs/${bug.id}`), />Digest 1\.0\.0</)
    assert.match(await page(alice, `/community/bugs/${bug.id}`), /Version[\s\S]*>Digest 1\.0\.0</)
  })

  it('write, change and take away what a bug is about, and which version a comment names', async (world) => {
    const { alice, bob } = world
    const { id, slug } = await publish(alice)
    await newVersion(alice, id, '1.0.1')
    const written = await submit(bob, '/community/bugs/new?/create', {
      ...{ ...crash, about: `workflow/${slug}`, version: '1.0.0' },
    })
    assert.equal(written.status, 303)
    const { items } = await bob.bugs.list({})
    const bug = items[0]!
    assert.equal(bug.about?.version, '1.0.0')
    const edit = `/community/bugs/${bug.id}/edit`
    const said = { title: bug.title, description: bug.description, seen: '' }
    assert.match(await page(bob, edit), /name="version"[^>]*value="1\.0\.0"/)
    await submit(bob, `${edit}?/edit`, { ...said, hadAbout: 'true', about: id, version: '1.0.1' })
    assert.equal((await bob.bugs.get({ id: bug.id })).about?.version, '1.0.1')
    const wrong = await submit(bob, `${edit}?/edit`, { ...said, hadAbout: 'true', about: id, version: '7.0.0' })
    assert.equal(wrong.status, 404)
    assert.match(await wrong.text(), /no version 7\.0\.0/)
    await submit(bob, `${edit}?/edit`, { ...said, hadAbout: '', about: '', version: '' })
    assert.equal((await bob.bugs.get({ id: bug.id })).about?.version, '1.0.1', 'what the form did not show stays')
    await submit(bob, `${edit}?/edit`, { ...said, hadAbout: 'true', about: '', version: '' })
    assert.equal('about' in (await bob.bugs.get({ id: bug.id })), false)
    const at = `/library/workflows/${slug}`
    assert.match(await page(bob, at), /<select[^>]*name="version"[\s\S]*1\.0\.1[\s\S]*1\.0\.0/)
    await submit(bob, `${at}?/comment`, { body: 'Slow', version: '1.0.0', parentId: '' })
    await submit(bob, `${at}?/comment`, { body: 'Fine', version: '', parentId: '' })
    const { items: comments } = await bob.library.comments({ id })
    assert.deepEqual(
      comments.map(({ about }) => about?.version),
      ['1.0.0', undefined],
    )
    assert.match(await page(bob, at), new RegExp(`href="${at}/versions/1\\.0\\.0"[^>]*>1\\.0\\.0</a>`))
  })

  it('speak German', async ({ alice, bob }) => {
    const { id, slug } = await publish(alice)
    await bob.bugs.create({ ...crash, about: { item: id, version: '1.0.0' } })
    const headers = { 'Accept-Language': 'de' }
    const words = await (await bob.request(`/library/workflows/${slug}`, { headers })).text()
    assert.match(words, /Rückmeldungen zu 1\.0\.0[\s\S]*Offene Fehler[\s\S]*Fehler in dieser Version melden/)
  })
})
