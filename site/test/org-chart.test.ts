import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { type OrgChart, orgChart, roleAnchors } from '#lib/server/org-chart.ts'
import { assertNoneCrossed, assertReadable, depthOf, flat } from './chart-checks.ts'

type Role = Parameters<typeof orgChart>[0]['roles'][number]
const role = (id: string, reports_to: string | null = null, title: string | null = null): Role => ({
  id,
  title,
  type: 'specialist',
  reports_to,
})
const chartOf = (roles: Role[], communication: { from: string; to: string }[] = []) =>
  orgChart({ roles, communication })
const talk = (from: string, to: string) => ({ from, to })
const at = (chart: OrgChart, id: string) => chart.nodes.find(({ anchor }) => anchor === `role-${id}`)!
const many = (count: number, reports_to: string | null) =>
  Array.from({ length: count }, (_, n) => role(`r${n}`, reports_to))
describe('an org chart', () => {
  it('of one role is one box', () => {
    const chart = chartOf([role('solo')])
    assertReadable(chart)
    assert.deepEqual(chart.nodes, [
      { anchor: 'role-solo', title: 'solo', type: 'specialist', reportsTo: null, x: 0, y: 0 },
    ])
    assert.deepEqual([chart.lines, chart.talks], [[], []])
    assert.deepEqual([chart.width, chart.height, chart.viewBox], [232, 112, '-24 -24 232 112'])
  })
  it('of a chain goes straight down', () => {
    const chart = chartOf([role('c', 'b'), role('b', 'a'), role('a')])
    assertReadable(chart)
    assert.deepEqual(
      chart.nodes.map(({ title, x, y }) => [title, x, y]),
      [
        ['a', 0, 0],
        ['b', 0, 104],
        ['c', 0, 208],
      ],
    )
    assertNoneCrossed(chart)
    assert.equal(chart.lines.length, 2)
    assert.equal(at(chart, 'c').reportsTo, 'b')
  })
  it('puts a lead above the middle of a team', () => {
    const chart = chartOf([role('lead'), ...many(3, 'lead')])
    assertReadable(chart)
    assert.equal(at(chart, 'lead').x, at(chart, 'r1').x)
    assert.deepEqual(
      many(3, null).map(({ id }) => at(chart, id).y),
      [104, 104, 104],
    )
  })
  it('hangs a team that is too wide in columns, beside lines of their own', () => {
    const chart = chartOf([role('lead'), ...many(200, 'lead')])
    assertReadable(chart)
    assert.ok(chart.width <= 1_120, `${chart.width} px wide`)
    const rows = [...Map.groupBy(chart.nodes, ({ y }) => y).values()].map(({ length }) => length)
    assert.deepEqual([...new Set(rows)], [1, 4])
    assertNoneCrossed(chart)
    const beside = chart.lines[0]!.match(/M\d+ \d+H\d+/g)!.slice(1)
    assert.deepEqual(
      new Set(beside.map((d) => Number(d.split('H')[1]))),
      new Set(chart.nodes.slice(1).map(({ x }) => x)),
      'each box has its line at its side',
    )
  })
  it('hangs teams below their leads, where they are side by side and too wide', () => {
    const chart = chartOf([
      role('lead'),
      ...Array.from({ length: 12 }, (_, n) => role(`r${n}`, n < 3 ? 'lead' : `r${n % 3}`)),
    ])
    assertReadable(chart)
    assertNoneCrossed(chart)
    assert.deepEqual(
      ['lead', 'r0', 'r1', 'r2', 'r3', 'r6', 'r9'].map((id) => [at(chart, id).x, at(chart, id).y]),
      [
        [236, 0],
        [0, 104],
        [224, 104],
        [448, 104],
        [24, 208],
        [24, 284],
        [24, 360],
      ],
    )
  })
  it('of two hundred roles is there at once', () => {
    const roles = [role('r0'), ...Array.from({ length: 199 }, (_, n) => role(`r${n + 1}`, `r${Math.floor(n / 5)}`))]
    for (let n = 0; n < 20; n++) chartOf(roles)
    const before = process.cpuUsage()
    for (let n = 0; n < 20; n++) chartOf(roles)
    assert.ok(process.cpuUsage(before).user < 20 * 15_000, 'at most 15 ms')
    assertReadable(chartOf(roles))
  })
  it('of a thousand roles stays as wide as a page, deep or wide', () => {
    const shapes: Record<string, (n: number) => number> = {
      chain: (n) => n - 1,
      star: () => 0,
      pairs: (n) => Math.floor((n - 1) / 2),
      'one of two goes on': (n) => n - 1 - ((n - 1) % 2),
      'one of nine goes on': (n) => n - 1 - ((n - 1) % 9),
      'two of three go on': (n) => Math.max(0, n - 2 - (n % 3)),
    }
    for (const [shape, parent] of Object.entries(shapes)) {
      const roles = Array.from({ length: 1_000 }, (_, n) => role(`r${n}`, n ? `r${parent(n)}` : null))
      const chart = chartOf(roles)
      assertReadable(chart)
      assert.ok(chart.width <= 1_120 + 24 * 10, `${shape}: ${chart.width} px wide`)
      assert.ok(depthOf(chart.tree) <= 8, `${shape}: a list ${depthOf(chart.tree)} deep`)
      assertNoneCrossed(chart)
    }
  })
  it('leaves out what is too much to look at, and says how much', () => {
    const all = many(1_002, null)
    const chart = chartOf(
      all,
      all.slice(0, 300).map(({ id }) => talk('r0', id)),
    )
    assert.deepEqual(chart.leftOut, { roles: 2, links: 149 })
    assert.equal(chart.nodes.length, 1_000)
    assert.equal(chart.talks.length, 150)
    assert.equal(chart.tree[0]!.talksTo.length, 12)
    assert.equal(chart.tree[0]!.talksToMore, 287)
  })
})

describe('an org where no role reports to another', () => {
  it('stands in a square, with who talks to whom', () => {
    const chart = chartOf(many(4, null), [talk('r0', 'r1'), talk('r1', 'r0'), talk('r2', 'r0')])
    assertReadable(chart)
    assert.deepEqual(
      chart.nodes.map(({ x, y }) => [x, y]),
      [
        [0, 0],
        [240, 0],
        [0, 120],
        [240, 120],
      ],
    )
    assert.deepEqual(chart.talks, [
      { d: 'M184 32H240', both: true },
      { d: 'M92 120C92 92 92 92 92 64', both: false },
    ])
  })
  it('follows the work where it goes one way', () => {
    const chart = chartOf([role('c'), role('a'), role('b')], [talk('a', 'b'), talk('b', 'c')])
    assertReadable(chart)
    assert.deepEqual(
      ['a', 'b', 'c'].map((id) => at(chart, id).x),
      [0, 240, 480],
    )
    assert.deepEqual(
      chart.talks.map(({ d }) => d),
      ['M184 32H240', 'M424 32H480'],
    )
  })
  it('draws around what stands between two that talk', () => {
    const chart = chartOf(many(9, null), [talk('r0', 'r2'), talk('r2', 'r0'), talk('r0', 'r6')])
    assert.deepEqual(
      chart.talks.map(({ d }) => d),
      ['M92 0C92 -22 572 -22 572 0', 'M184 32C206 32 206 272 184 272'],
    )
  })
})

describe('an org in which something is odd', () => {
  it('has a root where the role above is not there', () => {
    const chart = chartOf([role('a', 'not-here'), role('b', 'a'), role('c', '')])
    assertReadable(chart)
    assert.deepEqual(
      chart.tree.map(({ title }) => title),
      ['a', 'c'],
    )
  })
  it('has a root where the line of command is a circle', () => {
    const chart = chartOf([role('x', 'b'), role('a', 'c'), role('b', 'a'), role('c', 'b'), role('self', 'self')])
    assertReadable(chart)
    assert.deepEqual(
      chart.tree.map(({ title }) => title),
      ['a', 'self'],
    )
    assert.deepEqual(
      flat(chart.tree).map(({ title }) => title),
      ['a', 'b', 'x', 'c', 'self'],
    )
  })
  it('keeps roles with the same id and the same title apart', () => {
    const roles = [
      role('a', null, 'Lead'),
      role('a', 'a', 'Lead'),
      role('a-2', 'a', 'Lead'),
      role('a 2'),
      role('ä'),
      role('ö'),
    ]
    const chart = chartOf(roles, [talk('a', 'a')])
    assertReadable(chart)
    assert.deepEqual(roleAnchors(roles), ['role-a', 'role-a-2', 'role-a-2-2', 'role-a-2-3', 'role--', 'role---2'])
    assert.deepEqual(
      flat(chart.tree).map(({ anchor }) => anchor),
      ['role-a', 'role-a-2', 'role-a-2-2', 'role-a-2-3', 'role--', 'role---2'],
    )
  })
  it('ignores links with roles that are not there, and those that the line of command shows', () => {
    const chart = chartOf([role('a'), role('b', 'a')], [talk('a', 'x'), talk('a', 'a'), talk('a', 'b')])
    assert.deepEqual(chart.talks, [])
    assert.deepEqual(chart.tree[0]!.talksTo, ['b'])
  })
  it('names the role above where the list cannot be nested any deeper', () => {
    const chart = chartOf([role('r0'), ...Array.from({ length: 11 }, (_, n) => role(`r${n + 1}`, `r${n}`))])
    const deep = flat(chart.tree)
    assert.equal(depthOf(chart.tree), 8)
    assert.deepEqual(
      deep.filter(({ reportsTo }) => reportsTo).map(({ title, reportsTo }) => [title, reportsTo]),
      [
        ['r8', 'r7'],
        ['r9', 'r8'],
        ['r10', 'r9'],
        ['r11', 'r10'],
      ],
    )
  })
  it('shows no text without end', () => {
    const chart = chartOf([
      { id: 'i'.repeat(9_999), title: 'word '.repeat(9_999), type: 't'.repeat(9_999), reports_to: null },
    ])
    assertReadable(chart)
    assert.ok(JSON.stringify(chart).length < 4_000)
  })
})

describe('any org', () => {
  const ids = fc.integer({ min: 0, max: 60 }).map(String)
  const title = fc.option(fc.string({ unit: 'grapheme', maxLength: 60 }), { nil: null })
  const roles = fc.array(
    fc.record({ id: ids, title, type: fc.constantFrom('boss', ''), reports_to: fc.option(ids, { nil: null }) }),
    {
      minLength: 1,
      maxLength: 80,
    },
  )
  const communication = fc.array(fc.record({ from: ids, to: ids }), { maxLength: 60 })
  it('has a chart in which nothing overlaps and every role is found once', () => {
    fc.assert(
      fc.property(roles, communication, fc.integer({ min: 100, max: 1_500 }), (roles, communication, width) => {
        const chart = orgChart({ roles, communication }, { width })
        assertReadable(chart)
        assert.equal(flat(chart.tree).length, roles.length)
        assertNoneCrossed(chart)
      }),
      { numRuns: 300 },
    )
  })
})
