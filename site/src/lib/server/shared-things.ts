// What the picture of each kind of thing shows. Pictures are for readers elsewhere: what not everybody sees has none.
import { error } from '@sveltejs/kit'
import { type ShareType, shareTypes } from '#lib/features/share.ts'
import { filtersOf, listed } from '#lib/subjects.ts'
import { counted } from '#lib/ui/numbers.ts'
import { states } from '#lib/ui/states.ts'
import { found } from './answers.ts'
import { plainText } from './markdown.ts'
import { drawChart } from './rendering.ts'
import { orgDrawing, type Pictured } from './share-picture.ts'
import { callsOf } from './subjects.ts'

type Locals = App.Locals
type Show = (locals: Locals, id: string) => Promise<Pictured>

/** In characters. */
const SUMMARY = 300

/** The votes as the end of a line; nothing where there are none. */
export const votesIn = (score: number): string => (score === 0 ? '' : ` · ${counted(score, 'vote')}`)

const by = (username: string | null) => `by ${username ?? 'a member'}`

function assertPublic({ state }: { state?: unknown }): void {
  if (state !== undefined) error(404, 'Page not found')
}

/** Bugs, requests, posts and releases. */
const showThing =
  (type: ShareType): Show =>
  async ({ api }, id) => {
    const subject = listed.find((one) => one.type === type) ?? error(404, 'Page not found')
    const thing = await found(callsOf(api, subject).get({ id }))
    assertPublic(thing)
    const { title, text } = subject.text(thing)
    const [kind] = subject.kinds
    const said = filtersOf(subject).flatMap(({ name }) => {
      const value = Reflect.get(thing, name) as keyof typeof states | undefined
      return value && Object.hasOwn(states, value) ? states[value].word : []
    })
    const facts = [by(thing.authorUsername), ...said].join(' · ')
    return {
      name: title,
      kind: `${kind?.word ?? type} #${thing.number}`,
      about: facts + votesIn(thing.score),
      summary: plainText(text, SUMMARY),
    }
  }

const showOrg: Show = async (locals, id) => {
  const org = await found(locals.api.orgs.get({ id }))
  assertPublic(org)
  const { roles, communication, roleCount } = org
  return {
    ...{ name: org.name, kind: `Org with ${counted(roleCount, 'role')}` },
    about: by(org.authorUsername) + votesIn(org.score),
    summary: org.tagline ?? '',
    drawing: orgDrawing(await drawChart(locals, { roles, communication, roleCount })),
  }
}

const showPerson: Show = async ({ api }, username) => {
  const person = await found(api.profile.show({ username, per_page: 1 }))
  return {
    ...{ name: person.name ?? person.username, kind: 'Member' },
    about: `@${person.username} · ${counted(person.entries.total, 'contribution')}`,
    summary: person.tagline ?? '',
  }
}

const showTeam: Show = async ({ api }, slug) => {
  const team = await found(api.teams.get({ slug }))
  assertPublic(team)
  return {
    ...{ name: team.name, kind: 'Team' },
    about: `${counted(team.member_count, 'member')} · ${counted(team.item_count, 'item')}`,
    summary: team.description,
  }
}

const showBlogPost: Show = async ({ api }, slug) => {
  const post = await found(api.blog.get({ slug }))
  return { name: post.title, kind: 'Blog', about: `by ${post.author} · ${post.date}`, summary: post.summary }
}

const shows: Record<ShareType, Show> = {
  ...{ post: showThing('post'), bug: showThing('bug'), feature: showThing('feature'), release: showThing('release') },
  ...{ org: showOrg, person: showPerson, team: showTeam, blog: showBlogPost },
}

/** What the picture of a thing shows; throws 404 for what not everybody sees. */
export async function sharedThing(locals: Locals, { type, id }: { type: string; id: string }): Promise<Pictured> {
  const known = shareTypes.find((one) => one === type)
  if (!known) error(404, 'Page not found')
  return shows[known](locals, id)
}
