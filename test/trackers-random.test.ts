// Random edits by members here and people there, in any order, with deliveries that get lost, come again or come late, answers that get lost,
// and requests that are refused for a while: in the end both sides are the same. EDITS=10000 SEED=1 TEST_TIMEOUT=3600 for the whole of it.
import assert from 'node:assert/strict'
import { type ServiceName, serviceNames } from '../src/community/trackers/contract.ts'
import { textHere, unmarked } from '../src/community/trackers/rules.ts'
import { kindOf } from '../src/community/trackers/services.ts'
import { numbersFrom } from './floods.ts'
import type { FakeRepository } from './github-repository.ts'
import { fakes, type GitHubDelivery, type Linked, linkTo, type StoredIssue, settings } from './trackers.ts'
import { onEveryEngine, type Person, type World } from './world.ts'

const EDITS = Number(process.env['EDITS'] ?? 120)
const SEEDS = process.env['SEED'] ? [Number(process.env['SEED'])] : [1, 2]
const MOST_THINGS = 24
const LABELS = ['mail', 'Trays', 'yarn'] as const
const STATUSES = ['open', 'in_progress', 'resolved', 'wontfix'] as const

interface Side {
  world: World
  there: FakeRepository
  service: ServiceName
  random: () => number
  members: Person[]
  linked: Linked
  labelIds: string[]
  /** On their way. */
  underWay: GitHubDelivery[]
  count: number
}

const one = <T>({ random }: Pick<Side, 'random'>, all: readonly T[]): T => all[Math.floor(random() * all.length)] as T

/** Texts that mean something on one side: names, numbers, code. */
const words = (side: Side): string =>
  `${one(side, ['Tray', 'Loom', 'Yarn'])} ${side.count} ${one(side, ['', 'see #3', '@octocat', '`#4 @x`', '!6 acme/looms!7', '\n\n/close', '\n\n* one\n* two', 'acme/looms#5', '**bold**', 'ü 😀'])}`.trim()

/** What is refused by its rules is no error of this test. */
const tried = async (write: Promise<unknown>) => {
  await write.catch((error: { status?: number }) =>
    assert.ok([403, 404, 409].includes(error.status ?? 0), String(error)),
  )
}

async function editHere(side: Side): Promise<void> {
  const { world, labelIds } = side
  const by = one(side, side.members)
  const items = await world.db.selectFrom('bug').select('id').orderBy('id').execute()
  const text = words(side)
  if (items.length === 0 || (items.length < MOST_THINGS && side.random() < 0.02)) {
    return tried(by.bugs.create({ title: text.replaceAll('\n', ' '), description: text, severity: 'low' }))
  }
  const { id } = one(side, items)
  const comments = await world.db.selectFrom('comment').select('id').where('targetId', '=', id).orderBy('id').execute()
  const comment = one(side, comments)
  const acts = [
    () => by.bugs.edit({ id, title: text.replaceAll('\n', ' ') }),
    () => by.bugs.edit({ id, description: text }),
    () => world.moderator.bugs.triage({ id, status: one(side, STATUSES) }),
    () => by.bugs.close({ id, closed: side.random() < 0.5 }),
    () => world.moderator.bugs.attachLabel({ id, labelId: one(side, labelIds) }),
    () => world.moderator.bugs.detachLabel({ id, labelId: one(side, labelIds) }),
    async () => comments.length < 6 && by.bugs.comment({ id, body: text }),
    async () => comment && by.comments.edit({ id: comment.id, body: text }),
    async () => comment && side.random() < 0.5 && by.comments.delete({ id: comment.id }),
    async () => side.random() < 0.02 && world.moderator.bugs.delete({ id }),
  ]
  await tried(Promise.resolve(one(side, acts)()))
}

function editThere(side: Side): void {
  const github = side.there
  const there = github.act(one(side, ['maintainer', 'octocat', 'stranger']))
  const text = words(side)
  if (github.issues.length === 0 || (github.issues.length < 3 * MOST_THINGS && side.random() < 0.01)) {
    return void there.open(text.replaceAll('\n', ' '), text, side.random() < 0.5 ? [one(side, LABELS)] : [])
  }
  const { number, comments, body } = one(side, github.issues)
  const comment = one(side, comments)
  const own = /<!-- guildhall/.test(body ?? '') && side.random() < 0.8
  const acts = [
    () => there.edit(number, { title: text.replaceAll('\n', ' ') }),
    () => there.edit(number, { body: own ? body?.replace(/:\n\n[\s\S]*\n\n<!--/, `:\n\n${text}\n\n<!--`) : text }),
    () => there.edit(number, { state: 'closed', state_reason: one(side, ['completed', 'not_planned']) }),
    () => there.edit(number, { state: 'open' }),
    () => there.label(number, one(side, [...LABELS, 'only there'])),
    () => there.unlabel(number, one(side, LABELS)),
    () => comments.length < 6 && there.comment(number, text),
    () => comment && there.editComment(number, comment.id, text),
    () => comment && side.random() < 0.5 && there.deleteComment(number, comment.id),
  ]
  one(side, acts)()
}

/** Some deliveries get lost, some come twice, and they come in any order. */
async function deliverSome(side: Side): Promise<void> {
  side.underWay.push(...side.there.deliveries.splice(0))
  for (let left = Math.floor(side.random() * 6); left > 0 && side.underWay.length > 0; left--) {
    const at = Math.floor(side.random() * side.underWay.length)
    const chance = side.random()
    const [delivery] = chance < 0.15 ? [side.underWay[at]] : side.underWay.splice(at, 1)
    if (!delivery || chance >= 0.8) continue
    // Where a signature has its moment, one that comes too late is refused: it is as if it were lost.
    const taken = delivery.headers === undefined ? [202] : [202, 401]
    const { status } = await side.linked.deliver(delivery)
    assert.ok(taken.includes(status), `${status}`)
  }
}

async function work({ world, there: github, random }: Side): Promise<void> {
  github.losesAnswer = random() < 0.05
  github.limited = random() < 0.03 ? { kind: random() < 0.5 ? 'primary' : 'secondary', seconds: 5 } : undefined
  await world.app.deliver()
  await world.app.syncTrackers()
  github.losesAnswer = false
  github.limited = undefined
}

async function run(world: World, service: ServiceName, seed: number): Promise<void> {
  const linked = await linkTo(world, service)
  const random = numbersFrom(seed)
  await linked.linkPerson('maintainer', world.moderator)
  await linked.linkPerson('octocat', world.bob)
  const labelIds: string[] = []
  for (const name of LABELS) labelIds.push((await world.moderator.labels.create({ name, color: '#336699' })).id)
  const members = [world.alice, world.bob, world.moderator]
  const side: Side = {
    world,
    there: fakes[service],
    service,
    random,
    members,
    linked,
    labelIds,
    underWay: [],
    count: 0,
  }
  for (; side.count < EDITS; side.count++) {
    await (random() < 0.5 ? editHere(side) : editThere(side))
    world.clock.pass(Math.floor(random() * 3))
    if (random() < 0.3) await deliverSome(side)
    if (random() < 0.1) await work(side)
  }
  await quiet(side)
  await compare(side)
}

/** What was lost is found by asking, until there is nothing to do. */
async function quiet({ world, there: github }: Side): Promise<void> {
  github.deliveries.length = 0
  for (let round = 0; round < 60; round++) {
    world.clock.pass(round < 4 ? 3_700 : 61)
    await world.app.deliver()
    await world.app.syncTrackers()
  }
  const { items } = await world.admin.trackers.list()
  assert.deepEqual([items[0]?.waiting, items[0]?.error], [0, null])
  const before = github.requests.length
  world.clock.pass(61)
  await world.app.syncTrackers()
  assert.deepEqual(
    github.requests.slice(before).filter(({ method }) => method !== 'GET'),
    [],
    'it is quiet',
  )
}

const states = { open: 'open', in_progress: 'open', resolved: 'completed', wontfix: 'not_planned' } as const
const stateOf = ({ state, state_reason: reason }: StoredIssue) => (state === 'open' ? 'open' : reason)

async function compare({ world, there: github, service, linked }: Side): Promise<void> {
  const place = { token: '', name: github.name }
  const asked = kindOf({ source: service }).open({} as never, place)
  const { dialect } = asked
  const readable = (body: string | null): string =>
    textHere(unmarked(body ?? ''), github.name, dialect).trim() || '(no text)'
  const pairs = await world.db
    .selectFrom('trackerPair')
    .select(['thingId', 'number'])
    .where('type', '=', 'bug')
    .where('trackerId', '=', linked.id)
    .execute()
  const { items: bugs } = await world.admin.bugs.list({ per_page: 100 })
  assert.ok(bugs.length > Math.min(10, EDITS / 200), `${bugs.length} bugs`)
  const numbers = new Map(pairs.map(({ thingId, number }) => [thingId, number]))
  assert.equal(new Set(numbers.values()).size, github.issues.length, 'each issue is of one bug')
  for (const issue of github.issues) {
    const bug = bugs.find(({ id }) => numbers.get(id) === issue.number)
    // It was closed when its bug went; who opens it again has it for themselves.
    if (!bug) continue
    const { items } = await world.admin.bugs.comments({ id: bug.id, per_page: 100 })
    const here = {
      title: bug.title,
      text: bug.description,
      state: asked.stateOf(states[bug.status]),
      labels: bug.labels.map(({ name }) => name),
    }
    const theirs = issue.labels.filter((name) => LABELS.includes(name as never))
    const there = {
      title: issue.title,
      text: readable(issue.body),
      state: stateOf(issue) === 'reopened' ? 'open' : stateOf(issue),
      labels: theirs,
    }
    for (const labels of [here.labels, there.labels]) labels.sort()
    assert.deepEqual(
      { ...here, comments: items.map(({ body }) => body).sort() },
      { ...there, comments: issue.comments.map(({ body }) => readable(body)).sort() },
      `#${issue.number}`,
    )
  }
  assert.equal(bugs.filter(({ id }) => numbers.get(id) == null).length, 0, 'each bug has an issue')
}

onEveryEngine(
  'two ways under random edits',
  (it) => {
    for (const service of serviceNames) {
      for (const seed of SEEDS)
        it(`with ${service} end the same on both sides, seed ${seed}`, (world) => run(world, service, seed))
    }
  },
  settings,
)
