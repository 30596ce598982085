// Floods of reports by agents: which are merged, which stay, and that no one can hide the report of another one; on both engines.
import assert from 'node:assert/strict'
import { it as plainIt } from 'node:test'
import { agentOf } from '../../../test/agents.ts'
import { floodBugs, numbersFrom, replayOf } from '../../../test/floods.ts'
import { assertSound } from '../../../test/sound.ts'
import { onEveryEngine, type World } from '../../../test/world.ts'
import { THE_SERVER } from '../../contract/no-account.ts'
import { isTheSame, mayGoInto, saidIn, saysTheSame } from './rules.ts'

const crash = {
  title: 'The importer crashes while saving a large workflow',
  description: 'Open the importer and save a workflow.\nat Importer.save (/srv/app/importer.ts:12:3)',
  severity: 'medium',
} as const
const again = {
  ...crash,
  description:
    '2026-11-28T10:00:00Z pid 4711\nat Importer.save (/home/ci/b/importer.ts:99:1)\nOpen the importer and save a workflow.',
}

async function start(world: World) {
  const [first, second] = [await agentOf(world, world.alice), await agentOf(world, world.bob)]
  return { ...world, first, second }
}

const openBugs = async ({ anonymous }: Pick<World, 'anonymous'>) => (await anonymous.bugs.list({})).total

onEveryEngine(
  'a report of an agent',
  (it) => {
    it('is made as always, and merged into the open one that says the same; undoing brings it back', async (world) => {
      const { first, second, app, moderator, admin, anonymous } = await start(world)
      const older = await first.bugs.create(crash)
      const made = await second.bugs.create(again)
      assert.equal((await anonymous.bugs.get({ id: made.id })).id, made.id)
      await app.deliver()
      assert.equal((await anonymous.bugs.get({ id: made.id })).id, older.id)
      assert.equal(await openBugs(world), 1)
      const [merged] = (await anonymous.bugs.merged({ id: older.id })).items
      assert.deepEqual([merged?.id, merged?.mergedById, merged?.mergedByUsername], [made.id, THE_SERVER, null])
      const { items } = await admin.admin.listAudit({})
      const act = items.find(({ action }) => action === 'bug.merge')
      assert.deepEqual([act?.actorId, act?.targetId], [null, made.id])
      for (const one of [world.alice, world.bob]) assert.equal((await one.notifications.count()).unread, 0)
      await assertSound(world)
      await moderator.bugs.undoMerge({ id: made.id })
      await app.deliver()
      assert.equal((await anonymous.bugs.get({ id: made.id })).id, made.id)
      assert.equal(await openBugs(world), 2)
      await assertSound(world)
    })

    it('stays where it says more, is worse, or the other one is closed or newer; and so does one of a person', async (world) => {
      const { first, second, bob, app, moderator } = await start(world)
      const older = await first.bugs.create(crash)
      await second.bugs.create({ ...again, severity: 'high' })
      await second.bugs.create({ ...again, title: crash.title.replace('importer', 'exporter') })
      await second.bugs.create({ ...again, description: `${again.description}\nStatus 503` })
      await bob.bugs.create(again)
      await app.deliver()
      assert.equal(await openBugs(world), 5)
      for (const { id } of (await moderator.bugs.list({})).items) {
        if (id !== older.id) await moderator.bugs.delete({ id })
      }
      await moderator.bugs.triage({ id: older.id, status: 'resolved' })
      await second.bugs.create(again)
      await app.deliver()
      assert.equal(await openBugs(world), 2)
    })

    it('comes back when the author of the other one edits or closes it, or is blocked', async (world) => {
      const { first, second, alice, app, admin, anonymous, clock } = await start(world)
      const takingBack = [
        (id: string) => alice.bugs.edit({ id, description: 'Nothing of that' }),
        (id: string) => alice.bugs.close({ id, closed: true }),
        async () => admin.admin.block({ id: (await alice.account()).id, blocked: true, reason: 'Spam' }),
      ]
      for (const [n, takeBack] of takingBack.entries()) {
        const number = `Status 40${n}`
        const older = await first.bugs.create({ ...crash, description: `${crash.description}\n${number}` })
        const { id } = await second.bugs.create({ ...again, description: `${again.description}\n${number}` })
        await app.deliver()
        assert.equal((await anonymous.bugs.get({ id })).id, older.id)
        await assert.rejects(alice.bugs.delete({ id: older.id }), { status: 403 })
        await app.returnFloods()
        assert.equal((await anonymous.bugs.get({ id })).id, older.id)
        clock.pass(1)
        await takeBack(older.id)
        await app.deliver()
        await app.returnFloods()
        await app.deliver()
        assert.equal((await anonymous.bugs.get({ id })).id, id)
      }
      await assertSound(world)
    })

    it('comes back when an edit was begun before the merge, and ends after it', async (world) => {
      const { first, second, alice, app, anonymous, db } = await start(world)
      const older = await first.bugs.create(crash)
      const { id } = await second.bugs.create(again)
      await app.deliver()
      await alice.bugs.edit({ id: older.id, description: 'Nothing of that' })
      const begun = { createdAt: '2026-01-01T00:00:00.000Z' }
      await db.updateTable('revision').set(begun).where('targetId', '=', older.id).execute()
      await app.returnFloods()
      assert.equal((await anonymous.bugs.get({ id })).id, id)
    })

    it('is compared with the others when it comes back', async (world) => {
      const { first, second, alice, app, anonymous } = await start(world)
      const older = await first.bugs.create(crash)
      const ids: string[] = []
      for (let count = 0; count < 3; count++) ids.push((await second.bugs.create(again)).id)
      await app.deliver()
      await alice.bugs.edit({ id: older.id, description: 'Nothing of that' })
      await app.returnFloods()
      await app.deliver()
      assert.equal(await openBugs(world), 2)
      for (const id of ids) assert.equal((await anonymous.bugs.get({ id })).id, ids[0])
      await assertSound(world)
    })

    it('goes with the bug that a moderator deletes, and with no other', async (world) => {
      const { first, second, moderator, app, anonymous } = await start(world)
      const older = await first.bugs.create(crash)
      const { id } = await second.bugs.create(again)
      await app.deliver()
      await moderator.bugs.delete({ id: older.id })
      await assert.rejects(anonymous.bugs.get({ id }), { status: 404 })
      await second.bugs.create(again)
      await app.deliver()
      assert.equal(await openBugs(world), 1)
    })

    it('stays merged where a moderator edits or closes the other one', async (world) => {
      const { first, second, moderator, app, anonymous, clock } = await start(world)
      const older = await first.bugs.create(crash)
      const { id } = await second.bugs.create(again)
      await app.deliver()
      clock.pass(1)
      await moderator.bugs.edit({ id: older.id, title: 'Importer: crash' })
      await moderator.bugs.triage({ id: older.id, status: 'resolved' })
      await app.returnFloods()
      assert.equal((await anonymous.bugs.get({ id })).id, older.id)
    })

    for (let run = 1; run <= 10; run++) {
      it(`is merged once where many come at once (${run})`, async (world) => {
        const { first, second, app, moderator } = await start(world)
        const reports = [first, second, first, second].map((agent) => agent.bugs.create(again))
        const ids = (await Promise.all(reports)).map(({ id }) => id)
        const deciding = moderator.bugs.merge({ id: ids[1] as string, into: ids[0] as string }).catch(() => {})
        await Promise.all([app.deliver(), deciding])
        await app.deliver()
        assert.equal(await openBugs(world), 1)
        await assertSound(world)
      })
    }

    it('of a flood reaches a moderator once: of 100 at most 35, and every genuine one', async (world) => {
      const { first, second, app, anonymous } = await start(world)
      const bugs = floodBugs(30, 10)
      const random = numbersFrom(7)
      const made = new Map<string, (typeof bugs)[number]>()
      const file = async (report: (typeof bugs)[number], agent: typeof first) => {
        const { title, description, severity } = report
        made.set((await agent.bugs.create({ title, description, severity })).id, report)
      }
      for (const report of bugs) await file(report, first)
      for (let n = 0; n < 70; n++) await file(replayOf(bugs[n % 30] as (typeof bugs)[number], random), second)
      for (let left = 5; left > 0; left--) await app.deliver()
      assert.ok((await openBugs(world)) <= 35, `${await openBugs(world)} are left`)
      for (const [id, report] of made) {
        const shown = await anonymous.bugs.get({ id })
        if (report.genuine) assert.equal(shown.id, id)
        assert.equal(made.get(shown.id)?.bug, report.bug)
      }
    })
  },
  { MERGE_FLOODS: 'on' },
)

onEveryEngine('where floods are not merged', (it) => {
  it('reports of agents stay', async (world) => {
    const { first, second, app, db } = await start(world)
    await first.bugs.create(crash)
    await second.bugs.create(again)
    assert.deepEqual(await db.selectFrom('floodCheck').select('id').execute(), [])
    await app.deliver()
    assert.equal(await openBugs(world), 2)
  })
})

plainIt(
  'Of 1,000 reports of 300 bugs at most 350 are left; none of the 100 genuine ones is merged, and none into another bug',
  () => {
    const bugs = floodBugs(300, 100)
    const random = numbersFrom(7)
    const flood = Array.from({ length: 700 }, (_, n) => replayOf(bugs[n % 300] as (typeof bugs)[number], random))
    const read = ({ title, description: text, ...report }: (typeof bugs)[number]) => ({
      ...report,
      said: saidIn({ title, text }),
    })
    const left: ReturnType<typeof read>[] = []
    for (const report of [...bugs, ...flood].map(read)) {
      const same = left.filter((older) => isTheSame(report.said, older.said))
      assert.deepEqual(new Set([report.bug, ...same.map(({ bug }) => bug)]), new Set([report.bug]))
      if (same.length === 0) left.push(report)
      else assert.equal(report.genuine, false)
    }
    assert.ok(left.length <= 350, `${left.length} are left`)
  },
)

/** What differs each time, and what tells one fault from another: pairs of each kind. */
const noise = {
  times: ['2026-11-28T10:00:00.123Z start', '2026-11-29 11:12:13+02:00 start'],
  'times of a day': ['[10:11:12,123] start', '[23:59:59] start'],
  ids: ['item 0193d0a2-7b1e-7c3e-9a65-5b0a3d1f2c4d', 'item 0193d0a2-7b1e-7c3e-9a65-000000000000'],
  addresses: ['at 0x7ffee4c0a1b2', 'at 0x00007f0012345678'],
  hashes: ['build 9f86d081884c7d659a2feaa0c55ad015', 'build 0f86d081884c7d659a2feaa0c55ad015'],
  processes: ['worker pid 4711 ended', 'worker pid=12 ended'],
  requests: ['request id: a1b2c3 was lost', 'request-id=99f was lost'],
  durations: ['took 12.5 ms', 'took 900 ms'],
  places: ['at save (importer.ts:12:3)', 'at save (importer.ts:99)'],
  folders: ['in /home/ci-1/build/importer.ts', 'in /Users/bob/src/importer.ts'],
  drives: ['in C:\\work\\one\\importer.ts', 'in D:\\other\\importer.ts'],
} as const
const telling = {
  dates: ['Dates before 1970-01-01 fail', 'Dates before 2038-01-19 fail'],
  runtimes: ['It fails on run node18', 'It fails on run node20'],
  'statuses of requests': ['request 404', 'request 500'],
  'codes of a database': ['ORA-00942', 'ORA-01017'],
  'codes of a system': ['0x80070005', '0x80070002'],
  'large numbers': ['Stops at 65536 rows', 'Stops at 65537 rows'],
  ports: ['listen example.com:8080', 'listen example.com:8443'],
  limits: ['Times out after 30 s', 'Times out after 60 s'],
  versions: ['With version 1.2.3', 'With version 1.2.4'],
  addresses: ['GET /api/v1/list.json', 'GET /api/v2/list.json'],
  folders: ['reads config/prod/app.json', 'reads config/dev/app.json'],
} as const

plainIt('Two reports say the same with what differs each time, and not with another number or name', () => {
  const say = (line: string) => ({
    title: 'The importer stops',
    text: `Open the editor and wait until it stops.\n${line}`,
  })
  for (const [pairs, isExpected] of [
    [noise, true],
    [telling, false],
  ] as const) {
    for (const [kind, [one, other]] of Object.entries(pairs)) {
      assert.equal(saysTheSame(say(one), say(other)), isExpected, kind)
    }
  }
})

plainIt('Two reports say the same only with the same words in the same order', () => {
  const say = (title: string, text = 'Open the editor and wait.') => ({ title, text })
  const is = (one: string, other: string) => saysTheSame(say(one), say(other))
  assert.ok(is('The sync of a large folder fails', 'Again: sync of this large folder fails'))
  assert.ok(is('Works only with a proxy', 'Works only with a proxy.'))
  for (const [one, other] of [
    ['Import fails after the export of tags', 'Export fails after the import of tags'],
    ['The list does not load with filters', 'The list does load with filters'],
    ['Turning sync on crashes the editor', 'Turning sync off crashes the editor'],
    ['Upload of large files fails with 502', 'Upload of large files fails with 504'],
    ['Upload of large files fails', 'Upload of large files fails on phones'],
    ['The editor saves drafts without a title', 'The editor saves drafts except a title'],
    ['The editor works only with a proxy', 'The editor works not with a proxy'],
    ['The editor asks whether to save or not', 'The editor asks whether to save'],
  ] as const) {
    assert.equal(is(one, other), false, `${one} / ${other}`)
    assert.equal(is(other, one), false, `${other} / ${one}`)
  }
  assert.equal(saysTheSame(say('It crashes', 'Again'), say('It crashes', 'Again')), false)
  const [low, high] = [
    { number: 1, weight: 0 },
    { number: 2, weight: 2 },
  ]
  assert.deepEqual(
    [mayGoInto(high, low), mayGoInto(low, high), mayGoInto({ ...low, number: 3 }, high)],
    [false, false, true],
  )
})
