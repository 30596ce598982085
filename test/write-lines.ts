// What is written against each budget of writing, for tests of the limits.
import { tinyPng } from './pictures.ts'
import { type Visitor, visit } from './visitor.ts'
import type { World } from './world.ts'

export const bug = { title: 'Late', description: 'It came at nine.', severity: 'low' } as const
const orgJson = JSON.stringify({ name: 'Desk', roles: [{ id: 'solo' }] })
const notes = () => new File(['# Notes'], 'notes.md')

/** What each line of the table is used up by; every call of one uses up one. */
export interface Line {
  what: string
  verified: number
  unverified: number
  call(who: Visitor, target: Target, index: number): Promise<unknown>
  /** How many calls are made, if not all: the others are only counted. */
  made?: number
}

interface Target {
  bugId: string
  orgId: string
}

export const lines: Line[] = [
  {
    what: 'bugs, feature requests and posts together',
    verified: 30,
    unverified: 5,
    call: (who, _, index) =>
      [
        () => who.bugs.create(bug),
        () => who.features.create({ title: 'Dark', description: 'mode' }),
        () => who.posts.create({ title: 'Hello', body: 'there' }),
      ][index % 3]!(),
  },
  {
    what: 'comments',
    verified: 120,
    unverified: 20,
    call: (who, { bugId, orgId }, index) =>
      [
        () => who.bugs.comment({ id: bugId, body: 'Yes' }),
        () => who.orgs.comment({ id: orgId, body: 'Yes' }),
        () => who.blog.comment({ slug: 'what-guildhall-is', body: 'Yes' }),
      ][index % 3]!(),
  },
  {
    what: 'votes',
    verified: 600,
    unverified: 100,
    call: (who, { bugId }, index) => who.bugs.vote({ id: bugId, value: index % 2 ? 1 : -1 }),
  },
  { what: 'org uploads', verified: 20, unverified: 3, call: (who) => who.orgs.create({ orgJson }) },
  {
    what: 'run uploads',
    verified: 60,
    unverified: 5,
    call: (who, { orgId }) => who.orgRuns.add({ id: orgId, files: [notes()] }),
  },
  {
    what: 'images',
    verified: 60,
    unverified: 5,
    call: async (who) => who.avatars.set({ avatar: await tinyPng() }),
    // Each picture is decoded by a process of its own.
    made: 8,
  },
]

/** Counts `times` more calls in every window that is open. */
export async function countOn({ db }: World, times: number): Promise<void> {
  await db
    .updateTable('rateLimit')
    .set(({ eb }) => ({ count: eb('count', '+', times) }))
    .execute()
}

/** A bug and an org of an account with no part in what is tested. */
export async function targets(world: World): Promise<Target> {
  const maker = await visit(world, 'maker', { address: '198.51.100.1' })
  const { id: bugId } = await maker.bugs.create(bug)
  const { id: orgId } = await maker.orgs.create({ orgJson })
  return { bugId, orgId }
}

/** Calls in rounds, so that many run at once. */
export async function callTimes({ what, call }: Line, who: Visitor, target: Target, times: number): Promise<void> {
  // Pictures are decoded one after the other.
  const atOnce = what === 'images' ? 4 : 20
  for (let done = 0; done < times; done += atOnce) {
    const round = Math.min(atOnce, times - done)
    await Promise.all(Array.from({ length: round }, (_, index) => call(who, target, done + index)))
  }
}
