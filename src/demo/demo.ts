// Fills a new instance with a community as it could be after eight weeks, through the API and with its own clock.
import { createApp } from '../app.ts'
import { grantRole } from '../identity/roles.ts'
import type { Outbox } from '../mail/outbox.ts'
import type { Dependencies } from '../request/handler.ts'
import { timestamp } from '../runtime/clock.ts'
import { required } from '../runtime/untyped.ts'
import {
  planAdvertisement,
  planBlog,
  planBugs,
  planFeatures,
  planLabels,
  planPosts,
  planReleases,
} from './community.ts'
import { type Entry, entriesOf, readJson, readPicture, readText } from './content.ts'
import { planLibrary } from './library.ts'
import { type Description, makePerson, type Person } from './people.ts'
import { makeStage, momentOf, planEntry, planTalk, type Stage, type TalkCounts } from './stage.ts'

export { hasAccounts } from '../identity/account-queries.ts'

export interface DemoSummary {
  /** How many there are of each, by their name in the plural. */
  counts: Record<string, number>
  /** One email address per role. */
  addresses: { admin: string; moderator: string; member: string }
}

/** The addresses of the demo are invented: no mail is sent to them. */
const noMail: Pick<Outbox, 'enqueue' | 'pretend'> = { enqueue: async () => {}, pretend: async () => {} }

/** All accounts have the same password. No mail is sent. */
export async function fill(
  real: Dependencies,
  { now, password }: { now: number; password: string },
): Promise<DemoSummary> {
  const dependencies: Dependencies = { ...real, outbox: { ...real.outbox, ...noMail } }
  const descriptions = await readJson<Description[]>('people.json')
  const people = new Map<string, Person>()
  const members = descriptions.filter(({ profile }) => profile).map(({ username }) => username)
  const { stage, clock, perform } = makeStage(now, people, members)
  // Writes the history of many weeks in seconds, so rate limits are off.
  const app = createApp({ ...dependencies, clock, config: { ...dependencies.config, rateLimits: false } })
  const place = { app, baseUrl: dependencies.config.baseUrl, password }
  for (const [index, description] of descriptions.entries()) {
    const joinedAt = momentOf(now, description.joined, description.username)
    // RFC 5737, 3: addresses for documentation.
    people.set(description.username, makePerson(place, description, { joinedAt, address: `192.0.2.${index + 10}` }))
  }
  planPeople(dependencies, stage, descriptions)
  const planLabelsOf = await planLabels(stage)
  const bugs = await planBugs(stage, planLabelsOf)
  const features = await planFeatures(stage, planLabelsOf)
  const posts = await planPosts(stage, planLabelsOf)
  const releases = await planReleases(stage)
  const blog = await planBlog(stage)
  const orgs = await planOrgs(stage)
  const items = await planLibrary(stage)
  await planAdvertisement(stage)
  await perform()
  for (const person of people.values()) await person.accounts.signOut()
  const talks = [...bugs, ...features, ...posts, ...releases, ...blog, ...orgs, ...items]
  const total = (name: 'comments' | 'votes') => talks.reduce((sum, talk) => sum + talk[name], 0)
  return {
    counts: {
      people: members.length,
      bugs: bugs.length,
      'feature requests': features.length,
      posts: posts.length,
      releases: releases.length,
      'orgs in the gallery': orgs.length,
      'runs of them': (await entriesOf('runs')).length,
      'items in the library': items.length,
      'versions of them': items.reduce((sum, { versions }) => sum + versions, 0),
      comments: total('comments'),
      votes: total('votes'),
    },
    addresses: {
      admin: addressOf(descriptions, 'admin'),
      moderator: addressOf(descriptions, 'moderator'),
      member: addressOf(descriptions, undefined),
    },
  }
}

const addressOf = (people: readonly Description[], role: Description['role']): string =>
  required(people.find((person) => person.role === role)).email

/** The first admin is the operator's to make, at the command line; other roles are given by that admin. */
function planPeople(dependencies: Dependencies, stage: Stage, descriptions: readonly Description[]): void {
  const admin = stage.person(required(descriptions.find(({ role }) => role === 'admin')).username)
  for (const { username, email, role, profile } of descriptions) {
    const person = stage.person(username)
    stage.plan(person.joinedAt, person, async (who) => {
      const { id } = await who.signUp()
      if (role === 'admin') await grantRole(dependencies, email, { role, now: timestamp(person.joinedAt) })
      else if (role) await admin.admin.setRole({ id, role })
      await who.profile.setUsername({ username })
      if (!profile) return
      await who.profile.update(profile)
      await who.avatars.set({ avatar: await readPicture(`avatars/${username}.svg`, 512) })
    })
  }
}

// The org gallery of the demo: definitions with their descriptions, banners, and the files that their runs wrote.

/** Titles in orgs.md are the names of the files in demo/orgs. */
async function planOrgs(stage: Stage): Promise<TalkCounts[]> {
  const entries = await entriesOf('orgs')
  const runs = await entriesOf('runs')
  return Promise.all(
    entries.map(async (entry) => {
      const orgJson = await readText(`orgs/${entry.title}.json`)
      const org = planEntry(stage, entry, async (who) => {
        const { id } = await who.orgs.create({ orgJson })
        const tagline = entry.find('tagline') ?? null
        const description = entry.find('description') ?? null
        if (tagline ?? description ?? entry.body) {
          await who.orgs.update({ id, tagline, description, body: entry.body || null })
        }
        if (entry.find('banner')) {
          const { url } = await who.orgImages.add({ id, image: await readPicture(`orgs/${entry.title}.svg`, 1600) })
          await who.orgs.update({ id, bannerUrl: url })
        }
        return { id }
      })
      for (const run of runs.filter((candidate) => candidate.get('org') === entry.title)) {
        planEntry(stage, run, async (who) => {
          const files = await Promise.all(run.list('files', ',').map((name) => runFile(run, name)))
          return who.orgRuns.add({ id: org.id(), label: run.title, files })
        })
      }
      return planTalk(stage, entry, {
        ...org,
        vote: (who) => who.orgs.vote,
        comment: (who) => who.orgs.comment,
      })
    }),
  )
}

async function runFile(run: Entry, name: string): Promise<File> {
  return new File([await readText(`runs/${run.get('org')}/${name}`)], name.replace(/^.*\//, ''))
}
