// Imports, for the operations of admins and for commands of the operator.

import { record } from '../../audit/audit.ts'
import type { SourceName } from '../../contract/import-sources.ts'
import { Problem } from '../../contract/problem.ts'
import { updateRetried } from '../../core/jobs/queries.ts'
import type { Db } from '../../database/schema.ts'
import { type ExportFile, openExport } from '../../formats/imports/opening.ts'
import { type GivenRecord, SourceError, type SourceOptions } from '../../formats/imports/record.ts'
import { sources } from '../../formats/imports/sources.ts'
import { parseJson } from '../../runtime/untyped.ts'
import { type ImportDone, ImportReport, importActions } from './contract.ts'
import type { StagingDependencies } from './enclosed.ts'
import * as queries from './queries.ts'
import { NOTHING_DONE } from './report.ts'
import { type Staged, stageImport } from './staging.ts'

export { scopeOf } from '../../content/imported/origins.ts'
export { sources } from '../../formats/imports/sources.ts'
export { isPlaceholder } from './claim-queries.ts'
export { columnsIn } from './columns.ts'
/** What other slices need of people, texts and names of a source. */
export { addressPeople, insertPlaceholder } from './people.ts'
export { findImport, listImports, listPlaces } from './queries.ts'
export { cutText } from './rules.ts'
export { runImport } from './running.ts'
export { revertImport } from './taking-back.ts'
export { longestTexts, MAX_TITLE } from './writing.ts'

export interface ReadOptions {
  source: SourceName
  name: string
  files: readonly ExportFile[]
  options: SourceOptions
  match: boolean
  createdBy: string | null
  now: string
}

/** Reads files of a source. Throws `invalid_request` for what they cannot be. */
export async function readImport(
  storing: StagingDependencies,
  { source, files, options, ...staging }: ReadOptions,
): Promise<Staged> {
  const unfinished = { id: undefined as string | undefined }
  try {
    await using opened = await openExport(files)
    const records: AsyncIterable<GivenRecord> = sources[source].read(opened.files, { ...options, now: staging.now })
    const { pictures } = opened
    return await stageImport(storing, { ...staging, source, records, pictures, began: (id) => (unfinished.id = id) })
  } catch (error) {
    const { id } = unfinished
    if (id !== undefined) await storing.db.transaction().execute((db) => queries.forgetImports(db, [id]))
    throw error instanceof SourceError ? new Problem('invalid_request', `files: ${error.message}`) : error
  }
}

interface Act {
  /** null for a command of the operator. */
  actorId: string | null
  address: string | null
  now: string
}

const steps = { start: 'running', pause: 'paused', revert: 'reverting' } as const

/** Starts, pauses or takes back an import. Throws `not_found`, and `conflict` where its state has no such step. */
export function stepImport(
  db: Db,
  { id, step, actorId, address, now }: Act & { id: string; step: keyof typeof steps },
): Promise<queries.StoredImport> {
  return db.transaction().execute(async (transaction) => {
    const row = await queries.lockImport(transaction, id)
    if (!row) throw new Problem('not_found', 'No such import')
    // What a process left that ended while it read can be taken back.
    if (row.report === '{}' && step !== 'revert') throw new Problem('conflict', 'It is still being read')
    if (!(await queries.stepTo(transaction, id, { to: steps[step], endedAt: null, error: null }))) {
      throw new Problem('conflict', 'An import has no such step where it is now')
    }
    // Its job was given up: it has all its attempts again.
    if (row.state === 'failed') await updateRetried(transaction, { kind: 'imports.run', key: id, now })
    const detail = { source: row.source, name: row.name }
    await record(transaction, now, { action: importActions[step], actorId, targetId: id, detail, address })
    return { ...row, state: steps[step] }
  })
}

/** An import as it is shown. */
export const shownImport = ({
  id,
  source,
  name,
  state,
  report,
  done,
  total,
  createdAt,
  endedAt,
  error,
}: queries.StoredImport) => ({
  ...{ id, source: source as SourceName, name, state: state as queries.ImportState },
  report: ImportReport.parse({ ...NO_REPORT, ...parseJson<object>(report) }),
  done: { ...NOTHING_DONE, ...parseJson<Partial<ImportDone>>(done) },
  ...{ total, createdAt, endedAt, error },
})

const NO_REPORT: ImportReport = {
  ...{ bugs: 0, features: 0, posts: 0, comments: 0, votes: 0, people: 0, labels: 0 },
  ...{
    doubled: 0,
    already: 0,
    long: 0,
    withoutAuthor: 0,
    keepsNumbers: false,
    pictures: 0,
    enclosed: 0,
    states: [],
    leftOut: [],
  },
}
