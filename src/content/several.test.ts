// Lists with several values of one filter; through the front door, on SQLite and on PostgreSQL.
import assert from 'node:assert/strict'
import { allOf } from '../../test/cursors.ts'
import { onEveryEngine, type World } from '../../test/world.ts'

type Made = {
  id: string
  status: string
  severity: string
  score: number
  labels: string[]
  authorId: string
  board: boolean
}

const statuses = ['open', 'in_progress', 'resolved', 'wontfix'] as const
const severities = ['low', 'medium', 'high', 'critical'] as const

async function makeBugs({ alice, bob, moderator, admin, clock }: World): Promise<Made[]> {
  const made: Made[] = []
  for (const name of ['ui', 'mail', 'a,b']) await admin.labels.create({ name, color: '#336699' })
  const { items } = await admin.labels.list({})
  const ids = new Map(items.map(({ id, name }) => [name, id]))
  await admin.boards.create({ slug: 'other', name: 'Other', description: 'Others' })
  for (let n = 0; n < 28; n++) {
    const person = n % 3 ? alice : bob
    const severity = severities[n % 4]!
    const board = n % 5 === 4
    const text = { title: `Wobble ${n}`, description: 'It stops' }
    const bug = await person.bugs.create({ ...text, severity, ...(board && { board: 'other' }) })
    const status = statuses[(n * 3 + (n >> 2)) % 4]!
    if (status !== 'open') await moderator.bugs.triage({ id: bug.id, status })
    const labels = [...(n % 2 ? ['ui'] : []), ...(n % 3 ? ['mail'] : []), ...(n % 7 ? [] : ['a,b'])]
    for (const name of labels) await moderator.bugs.attachLabel({ id: bug.id, labelId: ids.get(name)! })
    const score = n % 4 === 1 ? 1 : 0
    if (score) await admin.bugs.vote({ id: bug.id, value: 1 })
    made.unshift({ id: bug.id, status, severity, score, labels, authorId: bug.authorId, board })
    if (n % 2) clock.pass(1)
  }
  return made
}

onEveryEngine('a filter with several values', (it) => {
  it('lists what has one of them, on every page, in each order, by number and by cursor', async (world) => {
    const { anonymous } = world
    const made = await makeBugs(world)
    const order = (await anonymous.bugs.list({ per_page: 100 })).items.map(({ id }) => id)
    const isOpen = ({ status }: Made) => status === 'open' || status === 'in_progress'
    const isHigh = ({ severity }: Made) => severity === 'high' || severity === 'critical'
    const { authorId } = made[0]!
    const lists: [object, (bug: Made) => boolean][] = [
      [{ status: ['open', 'in_progress'] }, isOpen],
      [
        { status: ['in_progress', 'open', 'open'], severity: ['critical', 'high'] },
        (bug) => isOpen(bug) && isHigh(bug),
      ],
      [{ status: 'open', severity: ['critical', 'high'] }, (bug) => bug.status === 'open' && isHigh(bug)],
      [{ status: statuses }, () => true],
      [{ status: ['open', 'in_progress'], authorId }, (bug) => isOpen(bug) && bug.authorId === authorId],
      [{ status: ['open', 'in_progress'], board: 'other' }, (bug) => isOpen(bug) && bug.board],
      [{ status: ['open', 'in_progress'], by: 'people' }, isOpen],
      [{ status: ['open', 'in_progress'], by: 'agents' }, () => false],
      [{ status: ['open', 'in_progress'], q: 'wobble' }, isOpen],
      [{ severity: ['high', 'critical'], q: 'wo' }, isHigh],
      [{ label: ['ui', 'mail'] }, ({ labels }) => labels.includes('ui') || labels.includes('mail')],
      [{ label: 'a,b' }, ({ labels }) => labels.includes('a,b')],
      [
        { label: ['ui', 'MAIL', 'ui'], status: ['open', 'resolved'], authorId },
        (bug) =>
          bug.labels.some((name) => name !== 'a,b') &&
          /^(open|resolved)$/.test(bug.status) &&
          bug.authorId === authorId,
      ],
      [
        { label: 'ui', severity: ['low', 'high'], status: ['open', 'wontfix'] },
        (bug) => bug.labels.includes('ui') && /^(low|high)$/.test(bug.severity) && /^(open|wontfix)$/.test(bug.status),
      ],
      [
        { label: ['ui', 'mail'], q: 'wobble', severity: ['low', 'high'] },
        (bug) => bug.labels.some((name) => name !== 'a,b') && /^(low|high)$/.test(bug.severity),
      ],
      [{ label: ['ui', 'mail'], board: 'other' }, (bug) => bug.board && bug.labels.some((name) => name !== 'a,b')],
    ]
    const sorted = order.map((id) => made.find((bug) => bug.id === id)!)
    for (const [given, fits] of lists) {
      for (const sort of ['latest', 'popular'] as const) {
        const name = JSON.stringify({ given, sort })
        const expected = sorted.filter(fits)
        if (sort === 'popular') expected.sort((a, b) => b.score - a.score)
        const ids = expected.map(({ id }) => id)
        const filter = given as { status: 'open' }
        for (const per_page of [3, 100]) {
          const found: string[] = []
          for (let page = 0; ; page++) {
            const { items, hasMore, total } = await anonymous.bugs.list({ ...filter, sort, page, per_page })
            assert.equal(total, ids.length, name)
            found.push(...items.map(({ id }) => id))
            if (!hasMore) break
          }
          assert.deepEqual(found, ids, name)
          const read = (cursor: string) => anonymous.bugs.list({ ...filter, sort, per_page, cursor })
          const all = await allOf<{ id: string }>(read)
          assert.deepEqual(
            all.map(({ id }) => id),
            ids,
            name,
          )
        }
      }
    }
  })

  it('is counted beside the others', async (world) => {
    const { anonymous } = world
    await makeBugs(world)
    for (const filters of [
      { status: ['open', 'resolved'] as const },
      { status: ['open', 'resolved'] as const, severity: ['low', 'high'] as const },
      { label: ['ui', 'mail'], status: ['open', 'resolved'] as const },
      { label: ['ui', 'mail'] },
    ]) {
      const { counts } = await anonymous.bugs.counts(filters)
      for (const name of ['status', 'severity', 'label', 'by'] as const) {
        for (const [value, count] of Object.entries(counts[name]!)) {
          const { total } = await anonymous.bugs.list({ ...filters, [name]: value as 'open' })
          assert.equal(count, total, `${JSON.stringify(filters)} ${name} ${value}`)
        }
      }
    }
  })

  it('has commas in a query, or is a parameter each', async (world) => {
    const { anonymous, moderator, alice } = world
    const report = { title: 'One', description: 'It stops', severity: 'low' } as const
    const made = []
    for (const status of statuses) {
      const { id } = await alice.bugs.create(report)
      if (status !== 'open') await moderator.bugs.triage({ id, status })
      made.unshift({ id, status })
    }
    const listed = async (query: string) => {
      const answer = await anonymous.request(`/api/community/bugs?${query}`)
      return [answer.status, await answer.json()] as [number, { items: { status: string }[]; total: number }]
    }
    for (const [query, expected] of [
      ['status=open', 1],
      ['status=open,resolved', 2],
      ['status=open,open', 1],
      ['status=open&status=resolved&status=open', 2],
      ['status=open,resolved&status=wontfix', 3],
      [`status=${statuses}`, 4],
      [`status=${[...statuses, ...statuses]}`, 4],
      ['status=open, resolved', 2],
      ['label=nothing', 0],
      ['label=ui,ui', 0],
    ] as const) {
      if (query.startsWith('label=ui')) continue
      const [status, { total }] = await listed(query)
      assert.deepEqual([status, total], [200, expected], query)
    }
    for (const query of [
      ...['status=closed', 'status=open,closed', 'status=open,', 'status=,', 'status=', 'status=open&status=shut'],
      ...['severity=low,urgent', 'label=ui,mail', 'label=a&label=b&label=c&label=d&label=e&label=f'],
    ]) {
      const [status, body] = await listed(query)
      assert.equal(status, 400, `${query} ${JSON.stringify(body)}`)
    }
    const [, wrong] = await listed('status=open,closed')
    assert.deepEqual(wrong, { error: 'status: must be one of open, in_progress, resolved, wontfix' })
    const csv = await (await anonymous.request('/api/community/bugs?status=open&status=wontfix&format=csv')).text()
    assert.equal(csv.trim().split('\n').length, 3)
    const cursor = (await listed('status=open,resolved&per_page=1&cursor='))[1] as unknown as { nextCursor: string }
    const next = `per_page=1&cursor=${encodeURIComponent(cursor.nextCursor)}`
    assert.equal((await listed(`status=resolved,open&${next}`))[0], 200)
    assert.equal((await listed(`status=open,wontfix&${next}`))[0], 400)
    assert.equal((await listed(`status=open&${next}`))[0], 400)
  })

  it('is shared in a board, in one text', async ({ moderator }) => {
    const share = (query: string) =>
      moderator.savedFilters.share({ board: 'main', name: 'To do', path: `/community/bugs?${query}` })
    assert.equal((await share('status=open,in_progress')).path, '/community/bugs?status=open,in_progress')
    await assert.rejects(share('status=open,closed'), { status: 400 })
    await assert.rejects(share('status=open&status=resolved'), { status: 400 })
  })

  it('is one of labels, of at most five', async ({ anonymous, admin, moderator, alice }) => {
    const { id } = await alice.bugs.create({ title: 'One', description: 'It stops', severity: 'low' })
    const labels: { id: string; name: string }[] = []
    for (let n = 0; n < 6; n++) labels.push(await admin.labels.create({ name: `label ${n}`, color: '#336699' }))
    await moderator.bugs.attachLabel({ id, labelId: labels[4]!.id })
    const of = (count: number) => labels.slice(0, count).map(({ id }) => id)
    for (const label of [of(5), of(5).join(','), [...of(5), of(1)[0]!].slice(0, 5), 'label 0, label 4']) {
      assert.deepEqual(
        (await anonymous.bugs.list({ label })).items.map((bug) => bug.id),
        [id],
      )
      for (const list of [anonymous.features.list, anonymous.posts.list]) assert.equal((await list({ label })).total, 0)
    }
    await assert.rejects(anonymous.bugs.list({ label: of(6) }), /label/)
    await assert.rejects(anonymous.bugs.list({ label: labels.map(({ name }) => name).join(',') }), /at most 5/)
    assert.equal((await anonymous.bugs.list({ label: of(4) })).total, 0)
  })
})
