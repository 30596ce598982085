// `npm run admin -- move`: from SQLite to PostgreSQL, from files to a bucket, and back. The first run copies and compares everything while
// the server works; the one with --finish takes what changed since (moving-rows.ts, copying-blobs.ts).
import { resolve } from 'node:path'
import { refuseMissing } from '../database/existing.ts'
import { isPostgres } from '../runtime/addresses.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import { refuseOthers } from './alone.ts'
import type { Call, Command } from './command.ts'
import { type ComparisonScope, type CopiedFiles, copyFiles } from './copying-blobs.ts'
import { copyWhileServing, endMove, finishMove, knowsFiles, type MovedRows } from './moving-rows.ts'
import { hasScheme } from './opening-rows.ts'

export const move: Command = {
  usage: 'move [--database <url>] [--blobs <url>] [--all] [--finish | --cancel]',
  summary: `copies the database to postgres://... or to a SQLite file, and the stored files to
s3://... or file:..., and compares every row and byte; the server may run. Once it
is stopped, --finish takes what changed since, in seconds; with --all it compares
everything again. Repeat it after an interruption; --cancel removes what it added
to the database in use`,
  parameters: [0, 0],
  options: {
    database: { type: 'string' },
    blobs: { type: 'string' },
    all: { type: 'boolean' },
    finish: { type: 'boolean' },
    cancel: { type: 'boolean' },
  },
  async before({ settings, options }) {
    if (options['finish'] === true && typeof options['database'] === 'string')
      await refuseOthers(settings().databaseUrl)
  },
  run,
}

interface MoveReport {
  rows?: MovedRows
  files?: CopiedFiles
  finished: boolean
}

async function run({ settings, options, output }: Call): Promise<number> {
  const config = settings()
  refuseMissing(config.databaseUrl)
  const isLast = options['finish'] === true
  const [database, blobs] = [options['database'], options['blobs']]
  if (options['cancel'] === true) {
    await endMove(config.databaseUrl)
    output.result({ cancelled: true }, 'The database in use notes no changes any more. Remove the copy yourself.')
    return 0
  }
  if (typeof database !== 'string' && typeof blobs !== 'string') {
    output.complain('Say where to: --database postgres://..., --blobs s3://..., or both.')
    return 2
  }
  if (typeof database === 'string' && hasScheme(database) && !isPostgres(database)) {
    output.complain('--database takes postgres://... or the path of a SQLite file.')
    return 2
  }
  const place =
    typeof database === 'string'
      ? { ...placeOf(config.databaseUrl, database), isAll: options['all'] === true, output }
      : undefined
  const moved: MoveReport = { finished: isLast }
  // Files come first: a row may name a file, and no file names a row.
  if (typeof blobs === 'string') {
    const isKnown = isLast && place !== undefined && (await knowsFiles(place, blobs))
    moved.files = await moveFiles({ from: config.blobUrl, to: blobs }, isKnown ? 'recent' : 'every', output)
  }
  if (place) {
    const files = typeof blobs === 'string' ? { files: blobs } : {}
    moved.rows = await (isLast ? finishMove(place) : copyWhileServing({ ...place, ...files }))
  }
  const { rows, ...rest } = moved
  output.result({ ...rest, ...(rows && { rows: rows.rows, all: rows.isAll }) }, sentenceOf(moved))
  return 0
}

const placeOf = (fromUrl: string, database: string) => ({
  fromUrl,
  toUrl: isPostgres(database) ? database : resolve(database),
})

function sentenceOf({ rows, files, finished }: MoveReport): string {
  const parts = [
    rows ? `${rows.isAll ? 'all' : 'the changed'} ${rows.rows} rows were compared` : '',
    files ? `${files.files} files (${files.bytes} bytes) were copied` : '',
  ]
  const what = parts.filter(Boolean).join(', and ')
  return finished
    ? `Complete: ${what}. Start the server with the new settings.`
    : `Copied while the server works: ${what}. Stop it, run the same command with --finish, then start it with the new settings.`
}

async function moveFiles(
  urls: { from: string; to: string },
  compare: ComparisonScope,
  output: Call['output'],
): Promise<CopiedFiles> {
  const [from, to] = [await openBlobs(urls.from), await openBlobs(urls.to)]
  try {
    return await copyFiles(from, to, { compare, onFile: (files) => output.progress(`Files: ${files}`) })
  } finally {
    from.close()
    to.close()
  }
}
