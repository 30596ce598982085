// download: the file of a version, without installing it.
import { stat } from 'node:fs/promises'
import { basename } from 'node:path'
import { saveDownload } from '../../client/src/save-download.ts'
import type { CommandLine, Context } from './command.ts'
import { nameText, pathOf } from './home.ts'
import { MAX_FILE_BYTES } from './item-files.ts'
import { readSpec } from './item-of.ts'
import { type ResolvedVersion, resolve } from './resolving.ts'
import { bold } from './style.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

/** Writes the file where it is wanted; what is there already is not replaced unless told. */
export async function download(context: Context, { words: [word = ''], values }: CommandLine): Promise<void> {
  const find = readSpec(word)
  const asked = values['output']
  if (asked === '') throw new UsageError('-o names a file, or - for the standard output')
  if (asked === '-' && values['json'] === true)
    throw new UsageError('-o - writes the file to the standard output, where --json writes its answer: take one')
  const client = await context.client()
  const spec = await find(client)
  const output = typeof asked === 'string' ? asked : basename(pathOf('', spec))
  if (output !== '-' && values['force'] !== true && (await stat(output).catch(() => undefined)))
    throw new RefusedError('exists', `${output} is there already: --force replaces it`)
  const [{ kind, slug, version, sha256, size }] = (await resolve(client, [spec])) as [ResolvedVersion]
  const file = await client.library.file({ kind, slug, version }, { sha256 })
  if (output === '-') return context.write(await file.bytes())
  await saveDownload(file, output, { maxBytes: Math.min(size, MAX_FILE_BYTES) })
  context.say(bold(nameText({ kind, slug })), ` ${line(version)} ${line(output)} (${size} bytes, sha256 ${sha256})`)
  context.report({ name: nameText({ kind, slug }), version, path: output, sha256, size })
}
