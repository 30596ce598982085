// What the picture of each kind of thing shows. Pictures are for readers elsewhere: they are in the site's own language, and what not everybody sees has none.
import { error } from '@sveltejs/kit'
import { type ShareType, shareTypes } from '#lib/features/share.ts'
import { siteWords as t } from '#lib/language/catalogue.ts'
import { filtersOf, listed } from '#lib/subjects.ts'
import { states } from '#lib/ui/states.ts'
import { found } from './answers.ts'
import { facesOf } from './faces.ts'
import { plainText } from './markdown.ts'
import { drawChart } from './rendering.ts'
import { orgDrawing, type Pictured } from './share-picture.ts'
import { callsOf } from './subjects.ts'

type Locals = App.Locals
type Show = (locals: Locals, id: string) => Promise<Pictured>

/** In characters. */
const SUMMARY = 300
/** Of a team. */
const MAX_FACES = 5

/** The votes as the end of a line; nothing where there are none. */
export const votesIn = (score: number): string => (score === 0 ? '' : ` · ${t('share.votes', { count: score })}`)

export const by = (name: string | null) => (name === null ? t('share.byMember') : t('share.by', { name }))

function assertPublic({ state }: { state?: unknown }): void {
  if (state !== undefined) error(404, t('errors.page.404'))
}

/** Bugs, requests, posts and releases. */
const showThing =
  (type: ShareType): Show =>
  async (locals, id) => {
    const subject = listed.find((one) => one.type === type) ?? error(404, t('errors.page.404'))
    const thing = await found(callsOf(locals.api, subject).get({ id }))
    assertPublic(thing)
    const { title, text } = subject.text(thing)
    const said = filtersOf(t, subject).flatMap(({ name }) => {
      const value = Reflect.get(thing, name) as keyof typeof states | undefined
      return value && Object.hasOwn(states, value) ? t(`kinds.state.${value}`) : []
    })
    const facts = [by(thing.authorUsername), ...said].join(' · ')
    return {
      name: title,
      kind: `${t(`kinds.${subject.type}.word`)} #${thing.number}`,
      about: facts + votesIn(thing.score),
      summary: plainText(text, SUMMARY),
      faces: await facesOf(locals, [thing.authorUsername]),
      ...('labels' in thing && { labels: thing.labels }),
    }
  }

const showOrg: Show = async (locals, id) => {
  const org = await found(locals.api.orgs.get({ id }))
  assertPublic(org)
  const { roles, communication, roleCount } = org
  return {
    ...{ name: org.name, kind: t('share.org', { count: roleCount }) },
    about: by(org.authorUsername) + votesIn(org.score),
    summary: org.tagline ?? '',
    faces: await facesOf(locals, [org.authorUsername]),
    drawing: orgDrawing(await drawChart(locals, { roles, communication, roleCount })),
  }
}

const showPerson: Show = async (locals, username) => {
  const person = await found(locals.api.profile.show({ username, per_page: 1 }))
  return {
    ...{ name: person.name ?? person.username, kind: t('share.person') },
    about: `@${person.username} · ${t('share.contributions', { count: person.entries.total })}`,
    summary: person.tagline ?? '',
    faces: await facesOf(locals, [person.username]),
  }
}

const showTeam: Show = async (locals, slug) => {
  const { teams } = locals.api
  const team = await found(teams.get({ slug }))
  assertPublic(team)
  const { items } = await found(teams.members({ slug }))
  const people = items.slice(0, MAX_FACES).map(({ account }) => account.username)
  return {
    ...{ name: team.name, kind: t('share.team') },
    about: `${t('share.members', { count: team.member_count })} · ${t('share.items', { count: team.item_count })}`,
    summary: team.description,
    faces: await facesOf(locals, people),
  }
}

const showBlogPost: Show = async ({ api }, slug) => {
  const post = await found(api.blog.get({ slug }))
  return {
    name: post.title,
    kind: t('share.blog'),
    about: `${by(post.author)} · ${t.day(post.date)}`,
    summary: post.summary,
  }
}

const shows: Record<ShareType, Show> = {
  ...{ post: showThing('post'), bug: showThing('bug'), feature: showThing('feature'), release: showThing('release') },
  ...{ org: showOrg, person: showPerson, team: showTeam, blog: showBlogPost },
}

/** What the picture of a thing shows; throws 404 for what not everybody sees. */
export async function sharedThing(locals: Locals, { type, id }: { type: string; id: string }): Promise<Pictured> {
  const known = shareTypes.find((one) => one === type)
  if (!known) error(404, t('errors.page.404'))
  return shows[known](locals, id)
}
