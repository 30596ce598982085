// The talk of the demo: labels, bugs, feature requests, posts and the blog's comments.
import { Bug } from '../community/bugs/subject.ts'
import { Feature } from '../community/features/subject.ts'
import { required } from '../runtime/untyped.ts'
import { type Entry, entriesOf, readJson } from './content.ts'
import type { Person } from './people.ts'
import { between, planEntry, planTalk, type Stage, type TalkCounts } from './stage.ts'

interface Labels {
  by: string
  ago: string
  labels: { name: string; color: string }[]
}

/** Plans the labels of an entry: `attach` puts one on what is made of it. */
type PlanLabelsOf = (
  entry: Entry,
  thing: { from: number; id(): string },
  attach: (who: Person) => (on: { id: string; labelId: string }) => Promise<unknown>,
) => void

/** Plans all labels; their ids are known once they are made. */
export async function planLabels(stage: Stage): Promise<PlanLabelsOf> {
  const { by, ago, labels } = await readJson<Labels>('labels.json')
  const ids = new Map<string, string>()
  for (const label of labels) {
    stage.plan(stage.moment(ago, label.name), stage.person(by), async (who) => {
      ids.set(label.name, (await who.labels.create(label)).id)
    })
  }
  return (entry, thing, attach) => {
    const soon = Math.min(thing.from + 5_400_000, (thing.from + stage.now) / 2)
    for (const name of entry.list('labels', ',')) {
      const at = between(thing.from, soon, `${entry.title} ${name}`)
      stage.plan(at, stage.person(by), (who) => attach(who)({ id: thing.id(), labelId: ids.get(name) ?? name }))
    }
  }
}

export async function planBugs(stage: Stage, planLabelsOf: PlanLabelsOf): Promise<TalkCounts[]> {
  return (await entriesOf('bugs')).map((entry) => {
    const { title, body: description } = entry
    const severity = Bug.shape.severity.parse(entry.get('severity'))
    const bug = planEntry(stage, entry, (who) => who.bugs.create({ title, description, severity }))
    planLabelsOf(entry, bug, (who) => who.bugs.attachLabel)
    planStatus(stage, entry, (who, { status, reason }) =>
      who.bugs.triage({ id: bug.id(), status: Bug.shape.status.parse(status), reason }),
    )
    return planTalk(stage, entry, {
      ...bug,
      vote: (who) => who.bugs.vote,
      comment: (who) => who.bugs.comment,
    })
  })
}

export async function planFeatures(stage: Stage, planLabelsOf: PlanLabelsOf): Promise<TalkCounts[]> {
  return (await entriesOf('features')).map((entry) => {
    const { title, body: description } = entry
    const feature = planEntry(stage, entry, (who) => who.features.create({ title, description }))
    planLabelsOf(entry, feature, (who) => who.features.attachLabel)
    planStatus(stage, entry, (who, { status, reason }) =>
      who.features.setStatus({ id: feature.id(), status: Feature.shape.status.parse(status), reason }),
    )
    return planTalk(stage, entry, { ...feature, vote: (who) => who.features.vote })
  })
}

export async function planPosts(stage: Stage, planLabelsOf: PlanLabelsOf): Promise<TalkCounts[]> {
  return (await entriesOf('posts')).map((entry) => {
    const { title, body } = entry
    const post = planEntry(stage, entry, (who) => who.posts.create({ title, body }))
    planLabelsOf(entry, post, (who) => who.posts.attachLabel)
    return planTalk(stage, entry, { ...post, vote: (who) => who.posts.vote })
  })
}

/** Releases close bugs and requests, which they name by title. A draft is seen by moderators alone. */
export async function planReleases(stage: Stage): Promise<TalkCounts[]> {
  return (await entriesOf('releases')).map((entry) => {
    const { title, body } = entry
    const numberOf = (closed: string) => required(stage.made.get(closed))().number
    const release = planEntry(stage, entry, (who) => {
      const closes = entry.list('closes', ';').map(numberOf).join()
      const draft = entry.find('draft') !== undefined
      return who.changelog.create({ title, body, version: entry.get('version'), closes, draft })
    })
    return planTalk(stage, entry, {
      ...release,
      vote: (who) => who.changelog.vote,
      comment: (who) => who.changelog.comment,
    })
  })
}

/** Comments only: the posts come with Guildhall. */
export async function planBlog(stage: Stage): Promise<TalkCounts[]> {
  return (await entriesOf('blog')).map((entry) =>
    planTalk(stage, entry, {
      from: 0,
      id: () => entry.title,
      comment: (who) => (comment) => who.blog.comment({ slug: comment.id, body: comment.body }),
    }),
  )
}

/** A spam account: an advertisement, its removal and the block. */
export async function planAdvertisement(stage: Stage): Promise<void> {
  const entry = required((await entriesOf('advertisement'))[0])
  const { title, body } = entry
  const { made } = planEntry(stage, entry, (who) => who.posts.create({ title, body }))
  stage.plan(stage.moment(entry.get('removed'), title), stage.person(entry.get('moderator')), async (who) => {
    const { id, authorId } = made()
    const reason = entry.get('reason')
    await who.posts.delete({ id, reason })
    await who.admin.block({ id: authorId, blocked: true, reason })
  })
}

const STATUS = /^(\w+) by ([\w-]+) ([\w ]+) ago(?:: (.+))?$/

/** Plans `status: in_progress by mira 3d ago; resolved by mira 2d ago: the reason`. */
function planStatus(
  stage: Stage,
  entry: Entry,
  set: (who: Person, to: { status: string; reason: string | null }) => Promise<unknown>,
): void {
  for (const change of entry.list('status', ';')) {
    const [, status, by, ago, reason = null] = STATUS.exec(change) ?? []
    if (!status || !by || !ago) throw new Error(`${entry.title}: ${change} is no change of status`)
    stage.plan(stage.moment(ago, entry.title), stage.person(by), (who) => set(who, { status, reason }))
  }
}
