// The talk of the demo: labels, bugs, feature requests, posts and the blog's comments.
import type { Bug } from '../community/bugs/subject.ts'
import type { Feature } from '../community/features/subject.ts'
import { required } from '../runtime/untyped.ts'
import { between } from './calendar.ts'
import { entriesOf, readJson } from './content.ts'
import type { Entry } from './entries.ts'
import { later, planTalk, type Stage, type Talked } from './stage.ts'

interface Labels {
  by: string
  ago: string
  labels: { name: string; color: string }[]
}

/** Plans the labels; their ids are known once they are made. */
async function planLabels(stage: Stage): Promise<Map<string, string>> {
  const { by, ago, labels } = await readJson<Labels>('labels.json')
  const ids = new Map<string, string>()
  for (const label of labels) {
    stage.plan(stage.moment(ago, label.name), stage.person(by), async (who) => {
      ids.set(label.name, (await who.labels.create(label)).id)
    })
  }
  return ids
}

export async function planBugs(stage: Stage): Promise<Talked[]> {
  const labels = await planLabels(stage)
  const moderator = (await readJson<Labels>('labels.json')).by
  return (await entriesOf('bugs')).map((entry) => {
    const { title, body: description } = entry
    const severity = entry.get('severity') as Bug['severity']
    const { from, made } = planEntry(stage, entry, (who) => who.bugs.create({ title, description, severity }))
    const soon = Math.min(from + 5_400_000, (from + stage.now) / 2)
    for (const name of entry.list('labels', ',')) {
      const at = between(from, soon, `${title} ${name}`)
      stage.plan(at, stage.person(moderator), async (who) => {
        await who.bugs.attachLabel({ id: made.get().id, labelId: labels.get(name) ?? name })
      })
    }
    planStatus(stage, entry, (who, { status, reason }) =>
      who.bugs.triage({ id: made.get().id, status: status as Bug['status'], reason }),
    )
    return planTalk(stage, entry, {
      from,
      id: () => made.get().id,
      vote: (who, id, value) => who.bugs.vote({ id, value }),
      comment: (who, id, body) => who.bugs.comment({ id, body }),
    })
  })
}

export async function planFeatures(stage: Stage): Promise<Talked[]> {
  return (await entriesOf('features')).map((entry) => {
    const { title, body: description } = entry
    const { from, made } = planEntry(stage, entry, (who) => who.features.create({ title, description }))
    planStatus(stage, entry, (who, { status, reason }) =>
      who.features.setStatus({ id: made.get().id, status: status as Feature['status'], reason }),
    )
    return planTalk(stage, entry, {
      from,
      id: () => made.get().id,
      vote: (who, id, value) => who.features.vote({ id, value }),
    })
  })
}

export async function planPosts(stage: Stage): Promise<Talked[]> {
  return (await entriesOf('posts')).map((entry) => {
    const { title, body } = entry
    const { from, made } = planEntry(stage, entry, (who) => who.posts.create({ title, body }))
    return planTalk(stage, entry, {
      from,
      id: () => made.get().id,
      vote: (who, id, value) => who.posts.vote({ id, value }),
    })
  })
}

/** Comments only: the posts come with Guildhall. */
export async function planBlog(stage: Stage): Promise<Talked[]> {
  return (await entriesOf('blog')).map((entry) =>
    planTalk(stage, entry, {
      from: 0,
      id: () => entry.title,
      comment: (who, slug, body) => who.blog.comment({ slug, body }),
    }),
  )
}

/** A spam account: an advertisement, its removal and the block. */
export async function planAdvertisement(stage: Stage): Promise<void> {
  const [entry] = await entriesOf('advertisement')
  const { title, body } = required(entry)
  const { made } = planEntry(stage, required(entry), (who) => who.posts.create({ title, body }))
  const by = stage.person(required(entry).get('moderator'))
  const at = stage.moment(required(entry).get('removed'), title)
  stage.plan(at, by, async (who) => {
    const { id, authorId } = made.get()
    const reason = required(entry).get('reason')
    await who.posts.delete({ id, reason })
    await who.admin.block({ id: authorId, blocked: true, reason })
  })
}

/** Plans that the author of an entry (`by`) makes it (`ago`). */
export function planEntry<Made>(
  stage: Stage,
  entry: Entry,
  make: (who: ReturnType<Stage['person']>) => Promise<Made>,
): { from: number; made: ReturnType<typeof later<Made>> } {
  const from = stage.moment(entry.get('ago'), entry.title)
  const made = later<Made>()
  stage.plan(from, stage.person(entry.get('by')), async (who) => made.set(await make(who)))
  return { from, made }
}

const STATUS = /^(\w+) by ([\w-]+) ([\w ]+) ago(?:: (.+))?$/

/** Plans `status: in_progress by somebody 3d ago; resolved by somebody 2d ago: the reason`. */
function planStatus(
  stage: Stage,
  entry: Entry,
  set: (who: ReturnType<Stage['person']>, to: { status: string; reason: string | null }) => Promise<unknown>,
): void {
  for (const change of entry.list('status', ';')) {
    const [, status, by, ago, reason = null] = STATUS.exec(change) ?? []
    if (!status || !by || !ago) throw new Error(`${entry.title}: ${change} is no change of status`)
    stage.plan(stage.moment(ago, entry.title), stage.person(by), (who) => set(who, { status, reason }))
  }
}
