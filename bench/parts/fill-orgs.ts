// Fills a new database with a gallery of any size.

import { describeOrg, readOrg } from '../../src/formats/org.ts'
import { chartOf } from '../../src/formats/org-chart.ts'
import { addAccounts, userId } from './fill-accounts.ts'
import { type Filling, fillDatabase } from './filling.ts'
import { each, idOf, moment, sentences } from './made-up.ts'

export interface Gallery {
  orgs: number
  authors: number
  /** Runs and comments of the newest org. */
  runs: number
  comments: number
  /** A typical definition. */
  orgJson: string
}

const sentence = sentences(
  'the desk answers mail and matches invoices while two agents plan the release of every week'.split(' '),
)
export const orgId = (index: number) => idOf('a000', index)
export const runId = (index: number) => idOf('b000', index)

/** Makes the database at `url`; org `i` is the i-th oldest. */
export async function fillGallery(url: string, gallery: Gallery): Promise<void> {
  await fillDatabase(url, async (into) => {
    await addAccounts(into, gallery.authors)
    await addOrgs(into, gallery)
    await addRuns(into, gallery)
    await addComments(into, gallery)
  })
}

const textsOf = (index: number) => ({
  ...{ name: sentence(index, 4), goal: sentence(index + 3, 25), tagline: sentence(index + 1, 15) },
})

async function addOrgs(into: Filling, { orgs, authors, runs, comments, orgJson }: Gallery): Promise<void> {
  const definition = readOrg(orgJson)
  const { topology, roleCount } = describeOrg(definition)
  const chart = JSON.stringify(chartOf(definition))
  const org = (index: number) => {
    const isNewest = index === orgs - 1
    return {
      ...{ id: orgId(index), slug: `org-${index}`, authorId: userId(index % authors), ...textsOf(index) },
      ...{ topology, roleCount, score: index % 97, sha256: '0'.repeat(64), size: 2_000 },
      ...{ runCount: isNewest ? runs : 0, commentCount: isNewest ? comments : 0 },
      ...{ createdAt: moment(index), updatedAt: moment(index) },
    }
  }
  const page = (index: number) => {
    const { name, goal } = textsOf(index)
    return { orgId: orgId(index), name, goal, chart }
  }
  // The numbers are SQLite's (src/database/search.ts).
  const text = (index: number) => ({
    ...(into.engine === 'sqlite' && { rowId: -(2 ** 40) - index }),
    ...{ id: orgId(index), type: 'org', text: [...Object.values(textsOf(index)), `org-${index}`].join('\n') },
  })
  await into.add('orgUpload', each(orgs, org))
  await into.add('orgPage', each(orgs, page))
  await into.add('searchText', each(orgs, text))
  await into.run(`insert into counter (key, count) select 'org/all/', count(*) from "orgUpload"`)
  await into.run(`insert into counter (key, count)
    select 'org/by/' || "authorId" || '/', count(*) from "orgUpload" group by "authorId"`)
}

const FILES_EACH = 3
const FILE_BYTES = 1_000

async function addRuns(into: Filling, { orgs, authors, runs }: Gallery): Promise<void> {
  const run = (index: number) => ({
    ...{ id: runId(index), orgId: orgId(orgs - 1), authorId: userId(index % authors) },
    ...{ label: `Run ${index}`, createdAt: moment(index) },
  })
  const file = (index: number) => {
    const position = index % FILES_EACH
    const id = idOf('c000', index)
    const file = { id, runId: runId(Math.floor(index / FILES_EACH)), position, filename: `part-${position}.md` }
    return { ...file, fileType: 'md', sizeBytes: FILE_BYTES }
  }
  await into.add('orgRun', each(runs, run))
  await into.add('orgRunFile', each(runs * FILES_EACH, file))
  // What a trigger counts (migrations/0001-start/triggers.ts).
  await into.run(`insert into "storedBytes" ("accountId", bytes, "avatarBytes") select r."authorId", sum(f."sizeBytes"), 0
    from "orgRunFile" f join "orgRun" r on r.id = f."runId" group by r."authorId"`)
}

async function addComments(into: Filling, { orgs, authors, comments }: Gallery): Promise<void> {
  const comment = (index: number) => ({
    ...{ id: idOf('d000', index), targetId: orgId(orgs - 1), thread: orgId(orgs - 1), targetType: 'org' },
    authorId: userId(index % authors),
    ...{ body: sentence(index, 20), createdAt: moment(index) },
  })
  await into.add('comment', each(comments, comment))
}
