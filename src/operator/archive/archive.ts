// `npm run admin -- archive` and `unarchive`: the whole instance as one sealed file, which another Guildhall imports.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { refuseOthers } from '../alone.ts'
import type { Call, Command } from '../command.ts'
import { placeArchive } from './placing.ts'
import { ArchiveError, LEAST_PASSPHRASE } from './sealing.ts'
import { writeArchive } from './writing.ts'

export const archive: Command = {
  usage: 'archive --to <file>',
  summary: `writes the whole instance to one file that another Guildhall imports, while the
server runs: without passwords, tokens, keys and secrets, sealed with the passphrase of
ARCHIVE_PASSPHRASE or of standard input. To restore this server, take a backup`,
  parameters: [0, 0],
  options: { to: { type: 'string' } },
  async run({ settings, options, output }) {
    const { to: path } = options
    if (typeof path !== 'string' || path === '') {
      output.complain('Say where to: --to <file>.')
      return 2
    }
    const config = settings()
    const sealing = { passphrase: await readPassphrase(config.archivePassphrase) }
    const { rows, files, bytes } = await writeArchive({ config, path, sealing, progress: output.progress })
    output.result(
      { rows, files, bytes },
      `The archive is complete: ${rows} rows and ${files} files in ${bytes} bytes. Keep the passphrase: nothing opens it otherwise.`,
    )
    return 0
  },
}

export const unarchive: Command = {
  usage: 'unarchive --from <file> [--unverified]',
  summary: `imports an archive into an empty instance, where the settings say, on either
engine; the server is stopped. All of it is checked before anything is written. Repeat it
after an interruption. Accounts are claimed: their owners sign in with a mailed code`,
  parameters: [0, 0],
  options: { from: { type: 'string' }, unverified: { type: 'boolean' } },
  before: ({ settings }) => refuseOthers(settings().databaseUrl),
  run: runImport,
}

async function runImport({ settings, options, output }: Call): Promise<number> {
  const { from: path } = options
  if (typeof path !== 'string' || path === '') {
    output.complain('Say what from: --from <file>.')
    return 2
  }
  const config = settings()
  const passphrase = await readPassphrase(config.archivePassphrase)
  try {
    const { header, rows, files } = await placeArchive({
      ...{ config, archive: { path, passphrase }, output },
      isUnverified: options['unverified'] === true,
    })
    output.result(
      { at: header.at, rows, files: files.size },
      `Imported the state of ${header.at}: ${rows} rows and ${files.size} files. Start the server; everybody signs in with a mailed code.`,
    )
    return 0
  } catch (error) {
    if (!(error instanceof ArchiveError)) throw error
    output.complain(`The archive is refused, and nothing was written: ${error.message}.`)
    return 1
  }
}

// The passphrase of an archive: the setting, or a line of standard input. It is never an argument, which other users of the machine can read.

/** Asks at a terminal without showing what is typed; elsewhere the first line of the input is taken. */
async function readPassphrase(fromSettings: string | undefined): Promise<string> {
  const passphrase = fromSettings ?? (await ask())
  if ([...passphrase].length < LEAST_PASSPHRASE)
    throw new Error(
      `the passphrase of an archive has at least ${LEAST_PASSPHRASE} characters: ARCHIVE_PASSPHRASE, or a line of the input`,
    )
  return passphrase
}

async function ask(): Promise<string> {
  const isTerminal = process.stdin.isTTY === true
  if (isTerminal) process.stderr.write('Passphrase of the archive: ')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input: process.stdin, output: silent, terminal: isTerminal })
  try {
    for await (const line of lines) return line
    return ''
  } finally {
    lines.close()
    if (isTerminal) process.stderr.write('\n')
  }
}
