// The library of the demo: items of every kind with their versions, votes and comments.
import { required } from '../runtime/untyped.ts'
import { type Entry, entriesOf, readText } from './content.ts'
import { exportWorkflow, packAutomation, type Since } from './packages.ts'
import { planEntry, planTalk, type Stage, type TalkCounts } from './stage.ts'

interface Version {
  version: string
  ago: string
}

export interface ItemCounts extends TalkCounts {
  versions: number
}

/** Titles in library.md are the names of the files in demo/workflows, demo/automations and demo/library-orgs. */
export async function planLibrary(stage: Stage): Promise<ItemCounts[]> {
  return (await entriesOf('library')).map((entry) => {
    const [first, ...others] = versionsOf(entry)
    const item = planEntry(stage, entry, async (who) => {
      const given = {
        kind: entry.get('kind'),
        visibility: entry.find('visibility') === 'private' ? ('private' as const) : ('public' as const),
        tags: entry.find('tags') ?? '',
        version: required(first).version,
      }
      return who.library.publish({ ...given, file: await fileOf(entry, required(first).version) })
    })
    for (const { version, ago } of others) {
      stage.plan(stage.moment(ago, entry.title), stage.person(entry.get('by')), async (who) =>
        who.library.publishVersion({ id: item.id(), version, file: await fileOf(entry, version) }),
      )
    }
    planOfficial(stage, entry, item.id)
    const talked = planTalk(stage, entry, {
      ...item,
      vote: (who) => who.library.vote,
      comment: (who) => who.library.comment,
    })
    return { ...talked, versions: others.length + 1 }
  })
}

/** An admin makes an item official: `official: mira 12d`. */
function planOfficial(stage: Stage, entry: Entry, id: () => string): void {
  const [by, ...ago] = entry.list('official', ' ')
  if (!by) return
  const at = stage.moment(ago.join(' '), `${entry.title} official`)
  stage.plan(at, stage.person(by), (who) => who.library.update({ id: id(), visibility: 'official' }))
}

/** `versions: 0.9.0, 1.0.0 21d, 1.1.0 6d`: the first is as old as the item. */
function versionsOf(entry: Entry): Version[] {
  return entry.list('versions', ',').map((given) => {
    const [version = '', ...ago] = given.split(' ')
    return { version, ago: ago.join(' ') || entry.get('ago') }
  })
}

/** `since: scripts/parse.js 1.0.0, actions/refund.json 1.1.0`. */
const sinceOf = (entry: Entry): Since =>
  new Map(
    entry.list('since', ',').map((given): [string, string] => {
      const [path = '', version = ''] = given.split(' ')
      return [path, version]
    }),
  )

async function fileOf(entry: Entry, version: string): Promise<File> {
  const { title } = entry
  const count = versionsOf(entry).findIndex((candidate) => candidate.version === version) + 1
  if (entry.get('kind') === 'automation') return packAutomation(title, { version, since: sinceOf(entry) })
  if (entry.get('kind') === 'workflow') return exportWorkflow(title, { version, count })
  const name = count < versionsOf(entry).length ? `${title}-${version}` : title
  return new File([await readText(`library-orgs/${name}.json`)], `${title}.json`, { type: 'application/json' })
}
