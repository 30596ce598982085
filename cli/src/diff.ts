// diff: what the server says of two versions, or what the program itself finds between a published version and a file.
import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Client } from '../../client/src/create-client.ts'
import { saveDownload } from '../../client/src/save-download.ts'
import type { Hunk } from '../../src/formats/text-diff.ts'
import type { CommandLine, Context } from './command.ts'
import { permissionText } from './consent.ts'
import type { Spec } from './home.ts'
import { type Changes, itemFiles, MAX_FILE_BYTES } from './item-files.ts'
import { readSpec } from './item-of.ts'
import { outcomeText } from './outcomes.ts'
import { type ResolvedVersion, resolve } from './resolving.ts'
import { bold, red } from './style.ts'
import { line, plain } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

export async function diff(context: Context, { words, values }: CommandLine): Promise<void> {
  const [word = '', other] = words
  const find = readSpec(word)
  const isFile = other !== undefined && (await stat(other).catch(() => undefined))?.isFile() === true
  const spec = await find(await context.client())
  const { from, to, ...changes } = isFile
    ? await withFile(context, spec, other)
    : await betweenVersions(context, spec, { isNamed: word.includes('@'), other })
  const { outcomes } = changes as { outcomes?: ComparedOutcomes }
  context.say(bold(from === undefined ? `${to}: the first version` : `${from} to ${to}`))
  sayOutcomes(context, outcomes)
  sayChanges(context, changes, values['text'] === true)
  context.report({ from: from ?? null, to, ...changes })
}

async function betweenVersions(
  context: Context,
  { kind, slug, range }: Spec,
  { isNamed, other }: { isNamed: boolean; other: string | undefined },
) {
  if (other !== undefined && !isNamed) {
    throw new UsageError(`${line(other)} is no file: for two versions write ${kind}/${slug}@FROM ${line(other)}`)
  }
  const { library } = await context.client()
  const asked = { ...(isNamed && { from: range }), ...(other !== undefined && { to: other }) }
  const { from, to, ...changes } = await library.findCompare({ kind, slug, ...asked })
  return { from: from === null ? undefined : line(from.version), to: line(to.version), ...changes }
}

/** Downloads the published version and compares it here: the file of the person is sent nowhere. */
async function withFile(context: Context, spec: Spec, path: string) {
  const client = await context.client()
  const [{ kind, slug, version, sha256, size }] = (await resolve(client, [spec])) as [ResolvedVersion]
  const folder = await mkdtemp(join(tmpdir(), 'guildhall-'))
  try {
    const from = join(folder, 'published')
    const maxBytes = Math.min(size, MAX_FILE_BYTES)
    await saveDownload(await client.library.file({ kind, slug, version }, { sha256 }), from, { maxBytes })
    const { compareFiles } = await itemFiles()
    const changes = await compareFiles({ kind, from, to: path }).catch((error: unknown) => {
      const isBroken = error instanceof Error && error.name === 'FormatError'
      throw isBroken ? new RefusedError('invalid_file', `${line(path)} cannot be read: ${line(error.message)}`) : error
    })
    return { from: line(version), to: line(path), ...changes }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type ComparedOutcomes = Awaited<ReturnType<Client['library']['findCompare']>>['outcomes']

/** What is reported of the later version, and whether it works less often; nothing of a file of the person. */
function sayOutcomes(context: Context, { from, to, worse }: Partial<ComparedOutcomes> = {}): void {
  if (!to) return
  context.say(outcomeText(to))
  if (worse && from) context.say(red(`It works less often than before: ${outcomeText(from)}`))
}

function sayChanges(
  context: Context,
  { permissions, files, steps, nodes, truncated }: Changes,
  withText: boolean,
): void {
  for (const one of permissions.added) context.say(red(`may newly   ${line(permissionText(one))}`))
  for (const one of permissions.removed) context.say(`no longer   ${line(permissionText(one))}`)
  if (permissions.added.length === 0) context.say('It may do nothing new.')
  for (const [word, parts] of [
    ['node', nodes],
    ['step', steps],
  ] as const) {
    for (const change of ['added', 'removed', 'changed'] as const) {
      for (const { name, type } of parts[change]) context.say(`${change} ${word}  ${line(name)} ${line(type)}`)
    }
  }
  for (const change of ['added', 'removed', 'changed'] as const) {
    for (const { path } of files[change]) context.say(`${change} file  ${line(path || 'the file')}`)
  }
  if (withText) for (const { path, diff } of files.changed) sayHunks(context, path, diff ?? [])
  if (truncated) context.say('There is more than is listed here.')
}

const signs = { same: ' ', removed: '-', added: '+' } as const

/** As `diff -u` writes it. */
function sayHunks(context: Context, path: string, hunks: readonly Hunk[]): void {
  for (const { from_line, to_line, parts } of hunks) {
    context.say(`@@ -${from_line} +${to_line} @@ ${line(path)}`)
    for (const { kind, text } of parts) {
      for (const row of text.replace(/\n$/, '').split('\n')) {
        const words = `${signs[kind]}${plain(row)}`
        context.say(kind === 'removed' ? red(words) : words)
      }
    }
  }
}
