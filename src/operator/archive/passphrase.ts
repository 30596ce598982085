// The passphrase of an archive: the setting, or a line of standard input. It is never an argument, which other users of the machine can read.
import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { LEAST_PASSPHRASE } from './sealing.ts'

/** Asks at a terminal without showing what is typed; elsewhere the first line of the input is taken. */
export async function readPassphrase(fromSettings: string | undefined): Promise<string> {
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
