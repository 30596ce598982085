// `npm run admin -- move`: from SQLite to PostgreSQL, from files to a bucket, and back. The first run copies while the server works; the
// one with --finish compares every row and file, and takes as long as reading both sides once.
import { resolve } from 'node:path'
import { openDatabase } from '../database/open.ts'
import { openBlobs } from '../storage/open-blobs.ts'
import type { Call, Command } from './command.ts'
import { clear, copyRows, mendRows } from './copying.ts'
import { type CopiedFiles, copyFiles } from './copying-blobs.ts'
import { isPostgres, isUnfinished, openRows, openWritableRows } from './opening-rows.ts'
import type { Output } from './output.ts'
import { hasAccounts } from './queries.ts'

export const move: Command = {
  usage: 'move [--database <url>] [--blobs <url>] [--finish]',
  summary: `copies the database to postgres://... or to a SQLite file, and the stored files to
s3://... or file:...; the server may run. Once it is stopped, --finish compares
every row and byte and mends the rest. Repeat it after an interruption`,
  parameters: [0, 0],
  options: { database: { type: 'string' }, blobs: { type: 'string' }, finish: { type: 'boolean' } },
  run,
}

interface Moved {
  rows?: number
  files?: CopiedFiles
  finished: boolean
}

async function run({ settings, options, output }: Call): Promise<number> {
  const config = settings()
  const isLast = options['finish'] === true
  const [database, blobs] = [options['database'], options['blobs']]
  if (typeof database !== 'string' && typeof blobs !== 'string') {
    output.complain('Say where to: --database postgres://..., --blobs s3://..., or both.')
    return 2
  }
  const moved: Moved = { finished: isLast }
  // Files come first: a row may name a file, and no file names a row.
  if (typeof blobs === 'string') moved.files = await moveFiles(config.blobUrl, blobs, { isLast, output })
  if (typeof database === 'string') {
    moved.rows = await moveRows(config.databaseUrl, isPostgres(database) ? database : resolve(database), {
      isLast,
      output,
    })
  }
  output.result(moved, sentenceOf(moved))
  return 0
}

function sentenceOf({ rows, files, finished }: Moved): string {
  const parts = [rows === undefined ? '' : `${rows} rows`, files ? `${files.files} files (${files.bytes} bytes)` : '']
  const what = parts.filter(Boolean).join(' and ')
  return finished
    ? `Compared and complete: ${what} were copied or are the same. Start the server with the new settings.`
    : `Copied ${what}. Stop the server, run the same command with --finish, then start it with the new settings.`
}

interface How {
  isLast: boolean
  output: Output
}

async function moveFiles(fromUrl: string, toUrl: string, { isLast, output }: How): Promise<CopiedFiles> {
  const [from, to] = [await openBlobs(fromUrl), await openBlobs(toUrl)]
  try {
    const onFile = (files: number) => output.progress(`Files: ${files}`)
    return await copyFiles(from, to, { every: isLast, onFile })
  } finally {
    from.close()
    to.close()
  }
}

/** The number of rows that are in the new database. */
async function moveRows(fromUrl: string, toUrl: string, { isLast, output }: How): Promise<number> {
  if (fromUrl === toUrl) throw new Error('the database is there already: --database names the one that is in use')
  // The source must have the shape of this version, as the target will.
  await openDatabase(fromUrl).then(({ db }) => db.destroy())
  const isNew = !(await isUnfinished(toUrl))
  if (isNew) await refuseUsed(toUrl)
  const to = await openWritableRows(toUrl)
  const from = await openRows(fromUrl, isLast ? 'locked' : 'as committed').catch(async (error) => {
    await to.close()
    throw error
  })
  try {
    if (isNew) await clear(to)
    let total = 0
    await copyRows(from, to, (table, rows, share) => output.progress(`Copying ${table}: ${rows} rows`, share))
    if (isLast) {
      total = await mendRows(from, to, (table, rows, share) =>
        output.progress(`Comparing ${table}: ${rows} rows`, share),
      )
      await to.finish()
      return total
    }
    for (const table of await to.tables()) total += await to.count(table)
    return total
  } finally {
    await from.close()
    await to.close()
  }
}

async function refuseUsed(url: string): Promise<void> {
  const { db } = await openDatabase(url)
  try {
    if (await hasAccounts(db))
      throw new Error('the new database has accounts already: name an empty one, and remove what is in it yourself')
  } finally {
    await db.destroy()
  }
}
