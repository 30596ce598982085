// `npm run admin -- language check`: what a language that an operator adds lacks, before a start finds it.
import { resolve } from 'node:path'
import { type ReadLanguage, readLanguage } from '../config/added-languages.ts'
import { englishAreas } from '../language/added.ts'
import type { Call, Command } from './command.ts'

export const language: Command = {
  usage: 'language check <folder>',
  summary: `says which messages a language lacks, which nothing says, and which are wrong;
the folder is that of one language, such as languages/fr`,
  parameters: [2, 2],
  run,
}

async function run({ parameters: [verb, folder = ''], output }: Call): Promise<number> {
  if (verb !== 'check') {
    output.complain('Say language check, and the folder of a language.')
    return 2
  }
  const read = readLanguage(resolve(folder))
  const { complaints } = read
  const found = { tag: read.language.tag, name: read.language.name, missing: missingIn(read), unknown: unknownIn(read) }
  for (const key of found.missing) output.say(`missing: ${key}`)
  for (const key of found.unknown) output.say(`unknown: ${key}`)
  for (const sentence of complaints) output.complain(sentence)
  const counts = `${found.missing.length} missing, ${found.unknown.length} unknown, ${complaints.length} wrong`
  const verdict = complaints.length > 0 ? 'the server would not start with it' : 'the server can start with it'
  output.result({ ...found, wrong: complaints }, `${found.tag} (${found.name}): ${counts}; ${verdict}.`)
  return complaints.length + found.unknown.length > 0 ? 1 : 0
}

/** Messages that are said in English, by area and name. */
const missingIn = ({ areas }: ReadLanguage): string[] =>
  [...englishAreas()].flatMap(([area, texts]) =>
    (areas.get(area)?.missing ?? Object.keys(texts)).map((name) => `${area}.${name}`),
  )

/** Messages and files that nothing reads. */
const unknownIn = ({ areas, unknown }: ReadLanguage): string[] => [
  ...unknown,
  ...[...areas].flatMap(([area, compared]) => compared.unknown.map((name) => `${area}.${name}`)),
]
