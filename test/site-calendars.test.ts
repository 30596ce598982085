// Calendars of what is due and of releases, as another program reads them (ical.js).
import assert from 'node:assert/strict'
import ICAL from 'ical.js'
import { putSetting } from '../src/settings/queries.ts'
import { buildSite } from '../src/surfaces/site/build.ts'
import { setReaders } from './private-world.ts'
import { BASE_URL, onEveryEngine, type World } from './world.ts'

const CALENDARS = ['/calendar/roadmap.ics', '/calendar/releases.ics']
const LONG = 'Ünïcødé 🦔👩‍👩‍👧 '.repeat(7).slice(0, 100).toWellFormed()
const HOSTILE = ['Semi; comma, back\\slash \\n end', 'BEGIN:VEVENT:X"=', LONG, '\u202eturned', '🦔'.repeat(50)]
const bug = { description: 'Slow', severity: 'low' } as const

await buildSite(() => {})

const read = async ({ request }: Pick<World['anonymous'], 'request'>, path: string) => {
  const answer = await request(path)
  const text = await answer.text()
  assert.equal(answer.status, 200, path)
  assert.equal(answer.headers.get('content-type'), 'text/calendar; charset=utf-8')
  return text
}

function parse(text: string) {
  const calendar = new ICAL.Component(ICAL.parse(text) as unknown[])
  const events = calendar.getAllSubcomponents('vevent').map((component) => {
    const event = new ICAL.Event(component)
    const value = (name: string) => component.getFirstPropertyValue(name)
    return {
      ...{ uid: event.uid, title: event.summary, description: event.description, isDay: event.startDate.isDate },
      ...{ from: event.startDate.toString(), to: event.endDate.toString(), url: String(value('url')) },
      ...{ status: value('status'), categories: component.getFirstProperty('categories')?.getValues() },
      ...{ stamp: String(value('dtstamp')), modified: value('last-modified') && String(value('last-modified')) },
    }
  })
  return { calendar, events }
}

async function setPartsOff({ db, dependencies }: World, value: string) {
  const setting = { name: 'PARTS_OFF', value, actorId: null, changedAt: '2026-01-01T00:00:00.000Z' }
  await db.transaction().execute((transaction) => putSetting(transaction, setting))
  await dependencies.settings.reload()
}

onEveryEngine('calendars', (it) => {
  it('have each release on its day, with what is published alone', async ({ moderator, anonymous }) => {
    const made = await moderator.changelog.create({
      title: 'Paused',
      body: '**Bold**\n\nand plain',
      date: '2028-02-29',
    })
    await moderator.changelog.create({ title: 'Secret draft', body: 'B', draft: true })
    const { calendar, events } = parse(await read(anonymous, '/calendar/releases.ics'))
    assert.deepEqual(
      ['version', 'calscale', 'name', 'x-wr-calname'].map((name) => calendar.getFirstPropertyValue(name)),
      ['2.0', 'GREGORIAN', 'Guildhall: Changelog', 'Guildhall: Changelog'],
    )
    const [event, ...others] = events
    assert.deepEqual(others, [])
    const { stamp, modified, ...rest } = event!
    assert.deepEqual(rest, {
      ...{ uid: made.id, title: 'Paused', description: 'Bold and plain', isDay: true },
      ...{ from: '2028-02-29', to: '2028-03-01', url: `${BASE_URL}/community/changelog/${made.id}` },
      ...{ status: 'CONFIRMED', categories: ['Release'] },
    })
    assert.equal(stamp, `${made.createdAt.slice(0, 19)}Z`)
    assert.equal(modified, stamp)
    await moderator.changelog.edit({ id: made.id, title: 'Named', version: '2.0.0', date: '9999-12-31' })
    const [edited] = parse(await read(anonymous, '/calendar/releases.ics')).events
    assert.deepEqual([edited?.uid, edited?.title, edited?.from], [made.id, '2.0.0: Named', '9999-12-31'])
  })

  it('have what is due, the first due first, without what will not be done', async (world) => {
    const { alice, admin, anonymous } = world
    const asked = await alice.features.create({ title: 'Asked', description: 'D' })
    const planned = await alice.features.create({ title: 'Planned', description: 'D' })
    const declined = await alice.features.create({ title: 'Declined', description: 'D' })
    const slow = await alice.bugs.create({ ...bug, title: 'Slow' })
    const never = await alice.bugs.create({ ...bug, title: 'Never' })
    await alice.features.create({ title: 'Some day', description: 'D' })
    await admin.features.setStatus({ id: planned.id, status: 'planned' })
    await admin.features.setStatus({ id: declined.id, status: 'declined' })
    await admin.bugs.triage({ id: never.id, status: 'wontfix', severity: 'low' })
    const days = [asked, planned, declined, slow, never].map(({ id }, at) => ({
      id,
      dueOn: `2026-12-3${1 - (at % 2)}`,
    }))
    for (const due of days) await admin.threads.setDue(due)
    const { events } = parse(await read(anonymous, '/calendar/roadmap.ics'))
    const word = (type: 'bug' | 'feature') => (type === 'bug' ? 'Bug' : 'Feature request')
    assert.deepEqual(
      events.map(({ uid, from, status, categories, modified }) => ({ uid, from, status, categories, modified })),
      [
        { uid: planned.id, from: '2026-12-30', status: 'CONFIRMED', categories: [word('feature'), 'Planned'] },
        { uid: slow.id, from: '2026-12-30', status: 'CONFIRMED', categories: [word('bug'), 'Open'] },
        { uid: asked.id, from: '2026-12-31', status: 'TENTATIVE', categories: [word('feature'), 'Open'] },
      ].map((event) => ({ ...event, modified: null })),
    )
    await setPartsOff(world, 'bugs')
    assert.equal(parse(await read(anonymous, '/calendar/roadmap.ics')).events.length, 2)
    for (const [off, gone] of [
      ['roadmap', '/calendar/roadmap.ics'],
      ['features', '/calendar/roadmap.ics'],
      ['changelog', '/calendar/releases.ics'],
    ] as const) {
      await setPartsOff(world, off)
      for (const path of CALENDARS)
        assert.equal((await anonymous.request(path)).status, path === gone ? 404 : 200, `${path} without ${off}`)
    }
  })

  it('keep hostile titles as they are, in lines of at most 75 octets', async ({ moderator, anonymous }) => {
    const kept: string[] = []
    for (const title of HOSTILE) {
      const body = `${title}\r\nEND:VCALENDAR\r\n\tx\\n;,`
      kept.push((await moderator.changelog.create({ title, body, version: ';,' })).title)
    }
    const text = await read(anonymous, '/calendar/releases.ics')
    assert.ok(!/[^\r]\n|\r[^\n]/.test(text), 'every line ends with CRLF')
    for (const line of text.split('\r\n')) assert.ok(Buffer.byteLength(line) <= 75, line)
    assert.ok(text.split('\r\n').some((line) => Buffer.byteLength(line) === 75))
    assert.ok(!text.includes('\ufffd'))
    const { events } = parse(text)
    assert.deepEqual(new Set(events.map(({ title }) => title)), new Set(kept.map((title) => `;,: ${title}`)))
    assert.ok(events.every(({ description }) => description.includes('END:VCALENDAR') || description.length > 100))
  })

  it('are valid without an event, and have the newest 500', async (world) => {
    const { moderator, anonymous, db } = world
    for (const path of CALENDARS) assert.deepEqual(parse(await read(anonymous, path)).events, [])
    const { id } = await moderator.changelog.create({ title: 'First', body: 'B', date: '2026-11-01' })
    const first = await db.selectFrom('release').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    // Others than those of the first one, whichever these are.
    const digits = (at: number) =>
      ((Number.parseInt(id.slice(9, 13), 16) + 1 + at) % 0x1_0000).toString(16).padStart(4, '0')
    const copies = Array.from({ length: 500 }, (_, at) => ({
      ...{ ...first, id: `${id.slice(0, 9)}${digits(at)}${id.slice(13)}`, title: `Copy ${at}` },
      ...{
        number: first.number + 1 + at,
        createdAt: new Date(Date.parse(first.createdAt) + 1_000 * (1 + at)).toISOString(),
      },
    }))
    await db.insertInto('release').values(copies.slice(0, 499)).execute()
    assert.equal(parse(await read(anonymous, '/calendar/releases.ics')).events.length, 500)
    await db.insertInto('release').values(copies.slice(499)).execute()
    const { events } = parse(await read(anonymous, '/calendar/releases.ics'))
    assert.equal(events.length, 500)
    assert.ok(!events.some(({ title }) => title === 'First'))
  })

  it('cost no bytes while nothing changes, and are readable by pages of other origins', async (world) => {
    const { anonymous, moderator } = world
    for (const path of CALENDARS) {
      const { headers } = await anonymous.request(path)
      assert.equal(headers.get('access-control-allow-origin'), '*')
      assert.equal(headers.get('cache-control'), 'private, max-age=300')
      const etag = headers.get('etag')!
      const unchanged = await anonymous.request(path, { headers: { 'If-None-Match': etag } })
      assert.deepEqual([unchanged.status, await unchanged.text()], [304, ''], path)
    }
    const path = '/calendar/releases.ics'
    const etag = (await anonymous.request(path)).headers.get('etag')!
    await moderator.changelog.create({ title: 'New', body: 'B' })
    assert.equal((await anonymous.request(path, { headers: { 'If-None-Match': etag } })).status, 200)
  })

  it('are of a board, and of a closed one with the key of who reads it, on a private instance too', async (world) => {
    const { admin, moderator, bob, anonymous } = world
    await admin.boards.create({ slug: 'staff', name: 'Staff', readers: 'roles: moderator' })
    await moderator.changelog.create({ title: 'Inside', body: 'B', board: 'staff' })
    const { id } = await moderator.bugs.create({ ...bug, title: 'Inside', board: 'staff' })
    await moderator.threads.setDue({ id, dueOn: '2026-12-01' })
    const { key } = await moderator.feeds.renew()
    const other = (await bob.feeds.renew()).key
    for (const path of CALENDARS) {
      const own = await read(anonymous, `${path}?board=staff&key=${key}`)
      assert.match(own, /Inside/)
      assert.ok(!own.replaceAll('\r\n ', '').includes(key))
      assert.doesNotMatch(await read(anonymous, path), /Inside/)
      for (const wrong of ['', `&key=${other}`])
        assert.equal((await anonymous.request(`${path}?board=staff${wrong}`)).status, 404, `${path} ${wrong}`)
    }
    await setReaders(world, 'members')
    for (const path of CALENDARS) {
      assert.equal((await anonymous.request(path)).status, 401)
      assert.equal((await anonymous.request(`${path}?key=wrong`)).status, 401)
      const answer = await anonymous.request(`${path}?key=${other}`)
      assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'private, no-store'])
      assert.equal(answer.headers.get('referrer-policy'), 'no-referrer')
      assert.equal((await anonymous.request(`${path}?board=staff&key=${other}`)).status, 404)
      assert.match(await read(anonymous, `${path}?board=staff&key=${key}`), /Inside/)
    }
    for (const path of ['/calendar/other.ics', '/library/workflows/x/files/x.atom', '/community/x.ics'])
      assert.notEqual((await anonymous.request(`${path}?key=${key}`)).status, 200, path)
  })

  it('have a link on their pages, in each language', async ({ anonymous }) => {
    for (const [language, word] of [
      ['en', 'Calendar'],
      ['de', 'Kalender'],
    ] as const)
      for (const [page, path] of [
        ['/community/roadmap', CALENDARS[0]],
        ['/community/changelog', CALENDARS[1]],
      ] as const) {
        const html = await (await anonymous.request(page, { headers: { 'Accept-Language': language } })).text()
        assert.match(html, new RegExp(`href="${path}"[^>]*>${word}</a>`), page)
      }
  })
})
