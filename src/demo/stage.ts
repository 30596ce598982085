// The events of the demo, planned in any order and then run in order of time, with an adjustable clock. The same
// content and the same `now` give the same times.

import { hash } from 'node:crypto'
import { type Clock, systemClock } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import type { Entry } from './content.ts'
import type { Person } from './people.ts'

const MINUTE = 60_000
const UNITS = new Map([
  ['d', 24 * 60 * MINUTE],
  ['h', 60 * MINUTE],
  ['m', MINUTE],
])

/** A number from 0 to 1 that looks like chance and is always the same for a text. */
const chance = (seed: string): number => hash('sha256', seed, 'buffer').readUInt32BE(0) / 2 ** 32

/** How long ago, in milliseconds: `41d 6h`, or `25m`. */
function millisecondsOf(ago: string): number {
  return ago.split(' ').reduce((sum, part) => {
    const [, count, unit = ''] = /^(\d+)(\w)$/.exec(part) ?? []
    const length = UNITS.get(unit)
    if (length === undefined) throw new Error(`${ago}: is no time; write 41d 6h`)
    return sum + Number(count) * length
  }, 0)
}

/**
 * The moment this long before `now`. Activity does not happen exactly on the hour: times given in hours are shifted by some minutes,
 * never up to the next hour, so that their order is kept.
 */
export function momentOf(now: number, ago: string, seed: string): number {
  const slack = ago.includes('m') ? MINUTE : 60 * MINUTE
  return Math.floor(now - millisecondsOf(ago) + (chance(seed) - 1) * 0.9 * slack)
}

/** A moment between two, more likely an early one. */
export const between = (start: number, end: number, seed: string): number =>
  Math.floor(start + (end - start) * chance(seed) ** 3)

export interface Stage {
  now: number
  person(username: string): Person
  /** All users who vote and write. */
  members(): Person[]
  /** Plans something that a person does. */
  plan(at: number, who: Person, act: (who: Person) => Promise<unknown>): void
  /** Plans a vote. The time of a vote is not stored, so all votes are cast concurrently at the end. */
  planVote(who: Person, cast: (who: Person) => Promise<unknown>): void
  /** What was made of the entries, by title, once it is made. */
  made: Map<string, () => { id: string; number?: number }>
  /** The moment of a field such as `41d 6h`. */
  moment(ago: string, seed: string): number
}

interface Act {
  at: number
  act(): Promise<unknown>
}

/** A stage, and `perform`, which does everything that was planned while `clock` moves from act to act. */
export function makeStage(now: number, people: ReadonlyMap<string, Person>, members: readonly string[]) {
  const acts: Act[] = []
  const votes = new Map<Person, (() => Promise<unknown>)[]>()
  let moment = now
  const clock: Clock = { now: () => moment, elapsed: () => systemClock.elapsed() }
  const person = (username: string) => {
    const found = people.get(username)
    if (!found) throw new Error(`${username}: no such user`)
    return found
  }
  const stage: Stage = {
    now,
    person,
    members: () => members.map(person),
    made: new Map(),
    moment: (ago, seed) => momentOf(now, ago, seed),
    plan(at, who, act) {
      if (at < who.joinedAt || at > now) {
        throw new Error(`${who.username} cannot do anything at ${new Date(at).toISOString()}`)
      }
      acts.push({ at, act: () => act(who) })
    },
    planVote(who, cast) {
      votes.set(who, [...(votes.get(who) ?? []), () => cast(who)])
    },
  }
  const perform = async () => {
    for (const { at, act } of acts.toSorted((left, right) => left.at - right.at)) {
      moment = at
      await act()
    }
    moment = now
    const all = [...votes.values()].map(async (own) => {
      for (const cast of own) await cast()
    })
    await Promise.all(all)
  }
  return { stage, clock, perform }
}

/** What is voted on and commented, and the operations for it. */
interface Talk {
  /** When it is made. */
  from: number
  /** Its id, once it is made. */
  id(): string
  vote?(who: Person): (vote: { id: string; value: 1 | -1 }) => Promise<unknown>
  comment?(who: Person): (comment: { id: string; body: string }) => Promise<unknown>
}

export interface TalkCounts {
  comments: number
  votes: number
}

/** Plans the votes (`votes: +9 -1`) and comments of an entry. */
export function planTalk(stage: Stage, entry: Entry, { from, id, ...talk }: Talk): TalkCounts {
  const { title, comments } = entry
  let last = from
  for (const { by, ago, body } of comments) {
    const at = stage.moment(ago, `${title} ${ago}`)
    if (at <= last) throw new Error(`${title}: the comment of ${by} ${ago} ago comes too early`)
    last = at
    stage.plan(at, stage.person(by), async (who) => talk.comment?.(who)({ id: id(), body }))
  }
  const votes = valuesOf(entry)
  const voters = stage
    .members()
    .filter(({ username }) => username !== entry.find('by'))
    .toSorted((left, right) => chance(`${title} ${left.username}`) - chance(`${title} ${right.username}`))
  for (const [index, value] of votes.entries()) {
    const voter = voters[index]
    if (!voter) throw new Error(`${title}: only ${voters.length} users can vote`)
    stage.planVote(voter, async (who) => talk.vote?.(who)({ id: id(), value }))
  }
  return { comments: comments.length, votes: votes.length }
}

function valuesOf(entry: Entry): (1 | -1)[] {
  return entry.list('votes', ' ').flatMap((given) => {
    const value = Number(given)
    return Array<1 | -1>(Math.abs(value)).fill(value > 0 ? 1 : -1)
  })
}

/** Plans that the author of an entry (`by`) makes it (`ago`); `made` returns it from then on. */
export function planEntry<Made extends { id: string; number?: number }>(
  stage: Stage,
  entry: Entry,
  make: (who: Person) => Promise<Made>,
): Pick<Talk, 'from' | 'id'> & { made(): Made } {
  const from = stage.moment(entry.get('ago'), entry.title)
  let made: Made | undefined
  stage.plan(from, stage.person(entry.get('by')), async (who) => {
    made = await make(who)
  })
  stage.made.set(entry.title, () => required(made))
  return { from, id: () => required(made).id, made: () => required(made) }
}
