// lint, pack, new: for those who write what the library takes. None of them needs a server.
import { mkdir, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type ItemKind, itemKinds } from '../../src/contract/item-kinds.ts'
import type { Command, Context } from './command.ts'
import { type LintedKind, type LintResult, validators } from './linting.ts'
import { line } from './text.ts'
import { RefusedError, UsageError } from './usage.ts'

const lintedKinds: readonly string[] = [...itemKinds, 'manifest'] satisfies LintedKind[]

const isLinted = (kind: unknown): kind is LintedKind => typeof kind === 'string' && lintedKinds.includes(kind)

const lint: Command = {
  usage: 'FILE... [--kind org]',
  summary: 'Check files as the library does: orgs, workflows, packages (.mpkg), skills and their folders',
  details: `  --kind KIND   ${lintedKinds.join(', ')}; found by itself from the file

  Errors are what the library refuses, and end with exit code 1. Warnings are what is accepted and means nothing.`,
  options: { kind: { type: 'string' } },
  words: [1, 1000],
  async run(context, { words, values: { kind } }) {
    if (kind !== undefined && !isLinted(kind)) throw new UsageError(`--kind is one of ${lintedKinds.join(', ')}`)
    const { lint: lintFile } = await validators()
    const files: LintResult[] = []
    for (const path of words) {
      const result = await lintFile(path, kind)
      sayResult(context, result)
      files.push(result)
    }
    const refused = files.filter(({ errors }) => errors.length > 0)
    context.report({ valid: refused.length === 0, files })
    if (refused.length > 0) {
      throw new RefusedError('invalid', `${refused.length} of ${files.length} would be refused`)
    }
  },
}

function sayResult(context: Context, { file, kind, name, version, errors, warnings }: LintResult): void {
  const what = [kind, name, version].filter((part) => part !== null).map((part) => line(String(part)))
  context.say(
    `${line(file)}: ${errors.length > 0 ? 'refused' : 'valid'}${errors.length > 0 ? '' : `, ${what.join(' ')}`}`,
  )
  for (const [word, problems] of [
    ['error', errors],
    ['warning', warnings],
  ] as const) {
    for (const { path, line: at, message } of problems) {
      const place = [line(file), ...(at === null ? [] : [at])].join(':')
      context.say(`  ${place} ${word}: ${path === '' ? '' : `${line(path)}: `}${line(message)}`)
    }
  }
}

const pack: Command = {
  usage: 'FOLDER [--output FILE]',
  summary: 'Make a package of a folder with automation.json (.mpkg) or SKILL.md (.zip)',
  details: `  -o, --output FILE   default: <id>-<version>.mpkg, or <name>.zip of a skill

  Files whose names begin with a dot are left out. An automation gets CHECKSUMS, and the same files make the same bytes.`,
  options: { output: { type: 'string', short: 'o' } },
  words: [1, 1],
  async run(context, { words: [folder = ''], values }) {
    const { lint: lintFile, packFolder } = await validators()
    const result = await lintFile(folder)
    if (result.errors.length > 0) {
      sayResult(context, result)
      throw new RefusedError('invalid', 'The library would refuse this package')
    }
    const { bytes, filename, files } = await packFolder(folder)
    const output = typeof values['output'] === 'string' ? values['output'] : filename
    await writeFile(output, bytes)
    context.say(`${line(output)}: ${files.length} files, ${bytes.length} bytes`)
    context.report({ file: output, files, size: bytes.length })
  },
}

const create: Command = {
  usage: `${itemKinds.join('|')} NAME [--output PATH]`,
  summary: 'Write a file to begin with: valid at once',
  details: `  -o, --output PATH   default: NAME.json, or the folder NAME for an automation or a skill

  guildhall new automation "Harbor board" && guildhall lint harbor-board && guildhall pack harbor-board`,
  options: { output: { type: 'string', short: 'o' } },
  words: [2, 2],
  async run(context, { words: [kind = '', name = ''], values }) {
    if (!isNew(kind)) throw new UsageError(`The first word is one of ${itemKinds.join(', ')}`)
    if (name.trim() === '' || name.length > 100) throw new UsageError('NAME has 1 to 100 characters')
    const server = await context.url().catch(() => undefined)
    const { filesOf } = await validators()
    const { at, files } = await filesOf(kind, name.trim(), server)
    const output = typeof values['output'] === 'string' ? values['output'] : at
    if (await stat(output).catch(() => undefined)) throw new RefusedError('exists', `${output} is there already`)
    const written: string[] = []
    for (const [path, text] of Object.entries(files)) {
      const file = path === '' ? output : join(output, path)
      await mkdir(dirname(file), { recursive: true })
      await writeFile(file, text, { flag: 'wx' })
      written.push(file)
      context.say(line(file))
    }
    context.report({ kind, files: written })
  },
}

const isNew = (kind: string): kind is ItemKind => (itemKinds as readonly string[]).includes(kind)

export const lintCommands = { lint, pack, new: create }
